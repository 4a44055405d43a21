import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as feedback } from '#functions/mail/feedback.ts';
import { handler as page } from '#functions/mail/unsubscribe/get.ts';
import { handler as unsubscribe } from '#functions/mail/unsubscribe/post.ts';
import { handler as partnerOf } from '#functions/dashboard/partner/get.ts';
import { type MailFact, mailIdOf } from '#lib/domain/mail.ts';
import { keys } from '#lib/service/store/keys.ts';
import { mailWrites } from '#lib/service/store/mails.ts';
import { setMailWish } from '#lib/service/use-cases/set-mail-wish.ts';
import { type Mailbox, type MailPump, mailPump, openMailbox } from '#test/support/mails.ts';
import { ownerOfBrand } from '#test/support/people.ts';
import { NOW, send } from '#test/support/request.ts';
import { type Brand, openWorld, type World } from '#test/support/world.ts';

let world: World;
let mailbox: Mailbox;
let pump: MailPump;
let brand: Brand;
beforeAll(async () => {
  world = await openWorld();
  mailbox = await openMailbox();
  pump = await mailPump(world);
});
beforeEach(async () => {
  brand = await world.brand();
  await pump.fresh();
  mailbox.answer();
});

let facts = 0;
async function tell(told: Partial<MailFact>): Promise<string> {
  const { id: programId, name: programName } = brand.program;
  const invited = { kind: 'partner_invited', data: { programId, programName } } as const;
  const fact = { ...invited, fact: String(++facts), ...told } as MailFact & { to: { email: string } };
  await world.deps().table.transact(mailWrites({ ...fact, now: NOW }));
  await pump.run();
  return mailIdOf(fact, fact.to.email);
}
const detailsChanged = (email: string) =>
  tell({ kind: 'payout_details_changed', to: { email }, data: { masked: '****6789' } });

/** A partner of the brand who is found by its address, as one without account is, or by its account. */
async function partnerWith(email: string, accountId?: number) {
  const { id: programId } = brand.program;
  const { partner } = brand;
  await world.deps().table.update(keys.partner(programId, partner.id), { set: { email, accountId } });
  const pointer =
    accountId === undefined ? keys.partnerOfEmail(email, programId) : keys.accountPartner(accountId, programId);
  await world.replace({ ...pointer, partnerId: partner.id });
}
async function shownToBrand(): Promise<string> {
  const { token } = await ownerOfBrand(world, brand);
  const pathParameters = { id: String(brand.program.id), partner_id: String(brand.partner.id) };
  const { body } = await send(partnerOf, { method: 'GET', key: token, pathParameters });
  return body.data.mail;
}

const tokenIn = (at = 0): string =>
  new URL(mailbox.received[at]!.headers['List-Unsubscribe']!.slice(1, -1)).searchParams.get('token')!;
const click = (token: string) =>
  send(unsubscribe, {
    query: { token },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
const account = (id: number, email: string, more: object = {}) =>
  Promise.all([
    world.replace({ ...keys.account(id), id, email, name: 'Ana', ...more }),
    world.replace({ ...keys.accountEmail(email), accountId: id }),
  ]);

describe('the link in a mail', () => {
  it('refuses further mails with one click, but not what warns of changed payout details', async () => {
    const email = 'one@partners.test';
    await partnerWith(email);
    await tell({ to: { email } });
    const reply = await click(tokenIn());
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
      },
      body: expect.stringContaining('You get no more mails as a partner.'),
    });
    expect(await world.items(keys.mailAddress(email).pk)).toEqual([
      { ...keys.mailAddress(email), refusedAt: NOW.toISOString() },
    ]);
    expect(await shownToBrand()).toBe('refused');
    mailbox.answer();
    await tell({ to: { email } });
    await detailsChanged(email);
    expect(mailbox.received.map(({ tags }) => tags.kind)).toEqual(['payout_details_changed']);
  });

  it('may be clicked again, and is only a page for those who look', async () => {
    const email = 'two@partners.test';
    await tell({ to: { email } });
    const shown = await send(page, { method: 'GET', query: { token: tokenIn() } });
    expect(shown).toMatchObject({ status: 200, body: expect.stringContaining('<form method="post">') });
    expect(shown.body).not.toContain(tokenIn());
    expect(await world.items(keys.mailAddress(email).pk)).toEqual([]);
    expect((await click(tokenIn())).status).toBe(200);
    expect((await click(tokenIn())).status).toBe(200);
  });

  it.each(['', 'made-up', 'x'.repeat(5_000)])('is not %j', async (token) => {
    expect(await click(token)).toMatchObject({ status: 404, body: { error: { message: 'This link is not valid' } } });
  });

  it('refuses for the account, whatever address it has later, until the account wants mails again', async () => {
    await account(801, 'three@partners.test');
    await partnerWith('three@work.test', 801);
    await tell({ to: { email: 'three@work.test', accountId: 801 } });
    await click(tokenIn());
    expect((await world.items(keys.account(801).pk)).find(({ sk }) => sk === 'ACCOUNT')).toMatchObject({
      refusesMail: true,
    });
    expect(await shownToBrand()).toBe('refused');
    mailbox.answer();
    await tell({ to: { email: 'three@new.test', accountId: 801 } });
    expect(mailbox.received).toEqual([]);
    await setMailWish(world.deps(), { email: 'three@work.test', accountId: 801 }, true);
    expect(await shownToBrand()).toBe('ok');
    await tell({ to: { email: 'three@work.test', accountId: 801 } });
    expect(mailbox.received).toHaveLength(1);
  });

  it('concerns an owner as a partner only', async () => {
    const { workspaceId, id: programId, name: programName } = brand.program;
    const [member] = (await world.items(keys.workspace(workspaceId).pk))[0]!.members as { accountId: number }[];
    await world.deps().table.update(keys.account(member!.accountId), { set: { refusesMail: true } });
    await tell({
      kind: 'webhook_disabled',
      to: { ownersOf: workspaceId },
      data: { programId, programName, url: 'https://acme.test/hook' },
    });
    expect(mailbox.received.map(({ tags }) => tags.kind)).toEqual(['webhook_disabled']);
  });
});

const event = (eventType: string, mailId: string | undefined, bounceType?: string) =>
  feedback({
    time: '2026-11-20T15:00:00Z',
    detail: {
      eventType,
      ...(bounceType && { bounce: { bounceType } }),
      mail: { tags: { ...(mailId !== undefined && { mail: [mailId] }) } },
    },
  });

it('a link without a token is none', async () => {
  expect(await send(unsubscribe, {})).toMatchObject({ status: 404 });
});

describe('a mail that comes back', () => {
  it.each([
    ['Bounce', 'Permanent'],
    ['Complaint', undefined],
  ])('for good (%s) is the last to its address, which the brand sees', async (eventType, bounceType) => {
    const email = `${eventType.toLowerCase()}@partners.test`;
    await partnerWith(email);
    const id = await tell({ to: { email } });
    await event(eventType, id, bounceType);
    await event(eventType, id, bounceType);
    expect(await world.items(keys.mailAddress(email).pk)).toEqual([
      { ...keys.mailAddress(email), suppressedAt: NOW.toISOString() },
    ]);
    expect(await shownToBrand()).toBe('suppressed');
    mailbox.answer();
    await tell({ to: { email } });
    await detailsChanged(email);
    expect(mailbox.received).toEqual([]);
  });

  it.each([
    ['Bounce', 'Transient'],
    ['Delivery', undefined],
  ])('changes nothing with %s %s', async (eventType, bounceType) => {
    const id = await tell({ to: { email: 'full@partners.test' } });
    await event(eventType, id, bounceType);
    await event('Bounce', undefined, 'Permanent');
    await event('Bounce', 'unknown', 'Permanent');
    await feedback({ time: '2026-11-20T15:00:00Z', detail: { eventType: 'Complaint', mail: {} } });
    expect(await world.items(keys.mailAddress('full@partners.test').pk)).toEqual([]);
  });

  it('is seen by a brand that gets the partner later, at the next mail', async () => {
    const email = 'later@partners.test';
    await event('Complaint', await tell({ to: { email } }));
    await partnerWith(email);
    expect(await shownToBrand()).toBe('ok');
    await tell({ to: { email } });
    expect(await shownToBrand()).toBe('suppressed');
  });
});
