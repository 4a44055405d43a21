import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { rateWindowAt } from '#lib/service/ground/values/rate-limits.ts';
import { MOST_REFERENCES } from '#lib/service/conversions/processors/processor-event.ts';
import { allItems, storedItems } from '#test/support/table/invariants.ts';
import { buyer, paid, saleOf, visitor } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import {
  charge,
  deliver,
  dispute,
  openProcessor,
  RECEIVED,
  sendDirect,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

openProcessor();

const world = openedWorld();

const windowOf = (programId: number) =>
  keys.rateWindow('webhook', `program:${programId}`, rateWindowAt(NOW).startSeconds);
/** Sets the count of this minute, as if this many events had arrived. */
const came = (programId: number, count: number) => world.deps().table.update(windowOf(programId), { set: { count } });

it('a program’s own Stripe endpoint accepts 1,200 events a minute and answers 429 to further ones until the minute ends', async () => {
  const { brand, id, metadata } = await visitor(world);
  await came(brand.program.id, 1_199);
  expect(await sendDirect(brand.program.id, stripeEvent('customer.created', {}))).toEqual(RECEIVED);
  const before = await allItems(world);
  for (const event of [paid(id, { metadata }), stripeEvent('customer.created', {}), '{}']) {
    const { status, headers, body } = await sendDirect(brand.program.id, event);
    expect([status, body.error.code, Number(headers['Retry-After']) > 0]).toEqual([429, 'rate_limited', true]);
  }
  expect(await allItems(world)).toEqual(before);
  const nextMinute = new Date(NOW.getTime() + 60_000);
  expect(await sendDirect(brand.program.id, paid(id, { metadata }), { at: nextMinute })).toEqual(RECEIVED);
  expect(await saleOf(world, `cs_${id}`)).toBeDefined();
});

it('Stripe events with an invalid signature do not count toward the limit', async () => {
  const { brand, id } = await visitor(world);
  for (let count = 0; count < 3; count++) {
    expect((await sendDirect(brand.program.id, paid(id), { secret: 'whsec_wrong' })).status).toBe(400);
  }
  expect(await world.items(windowOf(brand.program.id).pk)).toEqual([]);
});

it('a Stripe event that names thousands of ids of one payment writes only a few small items', async () => {
  const { brand, id } = await visitor(world);
  const payments = Array.from({ length: 5_000 }, (_, n) => ({ payment: { payment_intent: `pi_${id}_${n}` } }));
  const object = {
    ...paid(id).data.object,
    subscription: `sub_${id}`,
    amount_paid: 100,
    currency: 'usd',
    payments: { data: payments },
  };
  const metadata = { service_click_id: (await visitor(world)).clickId };
  expect(
    await sendDirect(brand.program.id, stripeEvent('invoice.paid', { ...object, id: `in_${id}`, metadata })),
  ).toEqual(RECEIVED);
  for (const [n, other] of [`in_${id}`, `ch_${id}`].entries()) {
    const link = { invoice: other, payment: { payment_intent: `pi_${id}`, charge: `ch_${id}${n}` } };
    expect(await sendDirect(brand.program.id, stripeEvent('invoice_payment.paid', link))).toEqual(RECEIVED);
  }
  const stored = (await storedItems(world)).filter(({ pk }) => String(pk).startsWith(`PAYMENT#${brand.program.id}#`));
  // The invoice stores as many ids as fit into one transaction, and each later event its new ids.
  expect(stored).toHaveLength(MOST_REFERENCES + 3);
  const links = stored.map(({ linked }) => (linked as string[]).length).toSorted((a, b) => a - b);
  // Each id's item refers to the first item, which lists the others.
  expect(links.slice(0, -2)).toEqual(Array.from({ length: stored.length - 2 }, () => 1));
  expect(links.at(-1)).toBeLessThan(MOST_REFERENCES);
});

const disputeOf = (id: string, number: number, type = 'created', more: object = {}) =>
  stripeEvent(`charge.dispute.${type}`, dispute(id, { id: `dp_${id}_${number}`, amount: 100, ...more }));

const twenty = (id: string) => Array.from({ length: 20 }, (_, number) => disputeOf(id, number));

describe('twenty charges and disputes of one payment are counted,', () => {
  it('and a further one changes nothing, while later events about those twenty still count', async () => {
    const { brand, id } = await buyer(world);
    await deliver(brand, ...twenty(id));
    const before = await saleOf(world, `cs_${id}`);
    expect(before).toMatchObject({ refundedCents: 2000 });
    await deliver(brand, disputeOf(id, 20), stripeEvent('charge.refunded', charge(id)));
    expect(await saleOf(world, `cs_${id}`)).toEqual(before);
    await deliver(brand, disputeOf(id, 0, 'closed', { status: 'won' }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 1900 });
  });

  it('even if they arrive before their sale', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, ...twenty(id), disputeOf(id, 20), disputeOf(id, 0, 'closed', { status: 'won' }));
    await deliver(brand, paid(id, { metadata }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 1900 });
  });
});
