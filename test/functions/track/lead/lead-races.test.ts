import { describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { traceEmail } from '#lib/service/ground/addresses/email.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { send, type TestReply } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const brand = opened(() => world.brand());

const TEN = Array.from({ length: 10 }, (_, index) => index);
const refused = (status: string) => `Customer status cannot be updated to lead. Current status: ${status}`;
const outcome = ({ status, body }: TestReply) => (status === 200 ? body.message : body.error.message);
/** The counted replies by status. */
const increment = (replies: readonly TestReply[]) =>
  Object.fromEntries(
    Map.groupBy(replies.map(outcome), String)
      .entries()
      .map(([text, all]) => [text, all.length]),
  );

const SETTLED = 'Lead tracked successfully';
const PROVISIONAL = 'Lead recorded as provisional. Send a server-side lead to settle it.';

async function history(clickId: string) {
  const items = await world.items(`CUSTOMER#${clickId}`);
  return { customer: items.find(({ sk }) => sk === 'CUSTOMER'), leads: items.filter(({ sk }) => sk === 'LEAD') };
}

describe('concurrent leads', () => {
  it('of one customer record one lead, and nine are refused because the customer is already a lead', async () => {
    const clickId = await clicked(brand);
    const replies = await Promise.all(
      TEN.map((n) => send(lead, { key: brand.key, body: { click_id: clickId, customer_key: `racer ${n}` } })),
    );
    expect(increment(replies)).toEqual({ [SETTLED]: 1, [refused('lead')]: 9 });

    const winner = `racer ${replies.findIndex(({ status }) => status === 200)}`;
    expect(await history(clickId)).toMatchObject({ customer: { customerKey: winner }, leads: [{ state: 'settled' }] });
    const bound = await Promise.all(TEN.map((n) => world.items(`KEY#racer ${n}`)));
    expect(bound.flat()).toMatchObject([{ clickId, customerKey: winner }]);
  });

  it('from browsers all get the same reply and record one provisional lead if the program requires leads from its server', async () => {
    const clickId = await clicked(brand);
    const replies = await Promise.all(
      TEN.map((n) => send(lead, { body: { click_id: clickId, email: `r${n}@example.com` } })),
    );
    expect(increment(replies)).toEqual({ [PROVISIONAL]: 10 });
    expect(await history(clickId)).toMatchObject({
      customer: { status: 'click', leadState: 'provisional' },
      leads: [{ state: 'provisional' }],
    });
    const hashes = TEN.map((n) => traceEmail(`r${n}@example.com`, brand.program.emailSalt).hash);
    const found = await Promise.all(hashes.map((hash) => world.items(`EMAIL#${brand.program.id}#${hash}`)));
    expect(found.flat()).toEqual([]);
  });

  it('of which some come from browsers and one from the server give one settled lead, in any order', async () => {
    const clickId = await clicked(brand);
    const replies = await Promise.all(
      TEN.map((n) => send(lead, { key: n === 5 ? brand.key : undefined, body: { click_id: clickId } })),
    );
    expect(outcome(replies[5]!)).toBe(SETTLED);
    const others = replies.filter((_, n) => n !== 5).map(outcome);
    expect([PROVISIONAL, refused('lead')]).toEqual(expect.arrayContaining(others));
    expect(await history(clickId)).toMatchObject({
      customer: { status: 'lead', leadState: 'settled' },
      leads: [{ state: 'settled', mode: 'server' }],
    });
  });

  it('of ten customers with the same customer key give the key to one customer, and nine are refused', async () => {
    const clickIds = await Promise.all(TEN.map(() => clicked(brand)));
    const replies = await Promise.all(
      clickIds.map((clickId) => send(lead, { key: brand.key, body: { click_id: clickId, customer_key: 'wanted' } })),
    );
    expect(increment(replies)).toEqual({ [SETTLED]: 1, [refused('lead')]: 9 });

    const winner = clickIds[replies.findIndex(({ status }) => status === 200)];
    expect(await world.items('KEY#wanted')).toMatchObject([{ clickId: winner, status: 'lead' }]);
    for (const clickId of clickIds.filter((id) => id !== winner)) {
      const { customer, leads } = await history(clickId);
      expect(customer).toMatchObject({ status: 'click' });
      expect(leads).toEqual([]);
    }
  });

  it('that arrive in parallel with the customer’s first sale are recorded before it, or refused after it', async () => {
    const clickId = await clicked(brand);
    const [led, sold] = await Promise.all([
      send(lead, { key: brand.key, body: { click_id: clickId, customer_key: 'both' } }),
      send(sale, { key: brand.key, body: { transaction_id: 'race', amount_cents: 100, click_id: clickId } }),
    ]);
    expect([SETTLED, refused('conversion')]).toContain(outcome(led));
    expect(sold.body).toMatchObject({ success: true, attributed: true });
    const { customer, leads } = await history(clickId);
    expect(customer).toMatchObject({ status: 'conversion' });
    expect(leads).toHaveLength(led.status === 200 ? 1 : 0);
  });
});
