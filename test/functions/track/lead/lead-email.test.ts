import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { browserLead, clicked, settledLead } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import type { Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const brand = opened(() => world.brand());

const hashIn = ({ program }: Brand, address: string) =>
  createHmac('sha256', program.emailSalt).update(address).digest('hex');

async function emails(clickId: string) {
  const items = await world.items(`CUSTOMER#${clickId}`);
  return items.map(({ sk, email }) => [sk, email]);
}

describe('the hash and the masked form of a lead’s e-mail address', () => {
  it('are stored on the settled lead and on the customer', async () => {
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, email: ' User@Example.COM\n' });
    const email = { hash: hashIn(brand, 'user@example.com'), masked: 'u***@example.com' };
    expect(await emails(clickId)).toEqual([
      ['CUSTOMER', email],
      ['LEAD', email],
    ]);
    expect(await world.items(`EMAIL#${brand.program.id}#${email.hash}`)).toEqual([
      {
        pk: `EMAIL#${brand.program.id}#${email.hash}`,
        sk: `${NOW.toISOString()}#${clickId}`,
        clickId,
        programId: brand.program.id,
      },
    ]);
  });

  it('are stored on a provisional lead and copied to the customer when the lead is settled', async () => {
    const clickId = await clicked(brand);
    await browserLead({ click_id: clickId, email: 'p@example.com' });
    const email = { hash: hashIn(brand, 'p@example.com'), masked: 'p***@example.com' };
    expect(await emails(clickId)).toEqual([
      ['CUSTOMER', undefined],
      ['LEAD', email],
    ]);
    await settledLead(brand, { click_id: clickId });
    expect(await emails(clickId)).toEqual([
      ['CUSTOMER', email],
      ['LEAD', email],
    ]);
  });

  it('are those of the address that the server sent, if the browser sent another one before', async () => {
    const clickId = await clicked(brand);
    await browserLead({ click_id: clickId, email: 'browser@example.com' });
    await settledLead(brand, { click_id: clickId, email: 'server@example.com' });
    const email = { hash: hashIn(brand, 'server@example.com'), masked: 's***@example.com' };
    expect(await emails(clickId)).toEqual([
      ['CUSTOMER', email],
      ['LEAD', email],
    ]);
  });

  it('are different in every program, so that no one can compare customers across programs', async () => {
    const other = await world.brand();
    const hashes = [];
    for (const one of [brand, other]) {
      const clickId = await clicked(one);
      await settledLead(one, { click_id: clickId, email: 'both@example.com' });
      hashes.push(...(await emails(clickId)).map(([, email]) => (email as { hash: string }).hash));
    }
    expect(new Set(hashes).size).toBe(2);
  });

  it.each([
    ['one character before the @', 'a@b.test', 'a***@b.test'],
    ['an empty local part', '@b.test', '***@b.test'],
    ['several @ signs', 'a@b@c.test', 'a***@c.test'],
    ['a two-unit first character', '😀x@b.test', '😀***@b.test'],
    ['a lone surrogate', '\ud800x@b.test', '\ufffd***@b.test'],
    ['320 characters', `${'l'.repeat(313)}@b.test`, 'l***@b.test'],
  ])('show the first character and the domain of %s', async (_, address, masked) => {
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, email: address });
    expect(await emails(clickId)).toEqual([
      ['CUSTOMER', { hash: expect.stringMatching(/^[0-9a-f]{64}$/), masked }],
      ['LEAD', { hash: expect.stringMatching(/^[0-9a-f]{64}$/), masked }],
    ]);
  });
});

describe('an invalid e-mail address', () => {
  it.each([
    ['without an @', 'nobody'],
    ['empty', ''],
    ['null', null],
    ['a number', 7],
    ['an object', { address: 'a@b.test' }],
    ['of 321 characters', `${'l'.repeat(314)}@b.test`],
  ])('is ignored, and the lead is recorded: %s', async (_, email) => {
    const clickId = await clicked(brand);
    const { status } = await send(lead, { key: brand.key, body: { click_id: clickId, email } });
    expect(status).toBe(200);
    expect(await emails(clickId)).toEqual([
      ['CUSTOMER', undefined],
      ['LEAD', undefined],
    ]);
  });
});

describe('the full e-mail address of a lead', () => {
  it('is in no item of the table and in no reply', async () => {
    const email = 'Secret.Person@Example.com';
    const bodies = [
      { key: brand.key, body: { click_id: await clicked(brand), customer_key: 's1', email } },
      { key: brand.key, body: { click_id: await clicked(brand), customer_key: 's1', email } },
      { body: { click_id: await clicked(brand), email } },
      { body: { click_id: 'clk_unknown', email } },
      { key: brand.key, body: { email, additional_data: { test_mode: true } } },
    ];
    const replies = [];
    for (const request of bodies) replies.push(await send(lead, request));
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 200, 400, 200]);

    const { Items } = await world.client.send(new ScanCommand({ TableName: world.tableName, ConsistentRead: true }));
    expect(JSON.stringify([Items, replies])).not.toMatch(/secret\.person/i);
    expect(JSON.stringify(Items)).toContain('s***@example.com');
  });
});
