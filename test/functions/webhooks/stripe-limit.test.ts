import { beforeAll, expect, it } from 'vitest';
import { keys } from '#lib/service/store/keys.ts';
import { rateWindowAt } from '#lib/domain/rate-limits.ts';
import { allItems } from '#test/support/invariants.ts';
import { paid, saleOf, visitor } from '#test/support/payers.ts';
import { NOW } from '#test/support/request.ts';
import { openProcessor, RECEIVED, sendDirect, stripeEvent } from '#test/support/stripe.ts';
import { openWorld, type World } from '#test/support/world.ts';

openProcessor();

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

const windowOf = (programId: number) =>
  keys.rateWindow('webhook', `program:${programId}`, rateWindowAt(NOW).startSeconds);
/** As if so many events had come in this minute. */
const came = (programId: number, count: number) => world.deps().table.update(windowOf(programId), { set: { count } });

it('a program’s own endpoint takes 1,200 events a minute, then asks the processor to come again', async () => {
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

it('events with another signature use up nothing of it', async () => {
  const { brand, id } = await visitor(world);
  for (let count = 0; count < 3; count++) {
    expect((await sendDirect(brand.program.id, paid(id), { secret: 'whsec_wrong' })).status).toBe(400);
  }
  expect(await world.items(windowOf(brand.program.id).pk)).toEqual([]);
});

it('an event with very many ids of one payment writes few and small items', async () => {
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
  const stored = (await allItems(world)).filter(({ pk }) => String(pk).startsWith(`PAYMENT#${brand.program.id}#`));
  expect(stored.length).toBeLessThanOrEqual(50);
  const links = stored.map(({ linked }) => (linked as string[] | undefined)?.length ?? 0).toSorted((a, b) => a - b);
  // One lists the others, and each of them names that one.
  expect(links).toEqual([...Array.from({ length: stored.length - 1 }, () => 1), stored.length - 1]);
});
