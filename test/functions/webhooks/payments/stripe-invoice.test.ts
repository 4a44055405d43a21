import { describe, expect, it } from 'vitest';
import { allItems } from '#test/support/table/invariants.ts';
import { paid, renewed, saleOf, visitor } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { deliver, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { World } from '#test/support/programs/world.ts';

// Tests which invoices become sales, and which of these earn a commission.

openProcessor();

const world = openedWorld();

const MINUTE_LATER = new Date(NOW.getTime() + 60_000);

describe('an invoice of a subscription', () => {
  it('is a renewal if it is not the first, and earns nothing if the program pays only for first payments', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, paid(id, { metadata }), renewed(id, { metadata, paidAt: MINUTE_LATER }));
    expect(await saleOf(world, `in_${id}r`)).toMatchObject({
      isRecurring: true,
      saleType: 'subscription',
      commissionState: 'notDue',
      occurredAt: MINUTE_LATER.toISOString(),
      providerPaymentId: `pi_${id}r`,
    });
    expect(await world.items(`SALE#in_${id}r`)).toHaveLength(1);
  });

  it('is also read in the format of API versions before 2025-03-31', async () => {
    const { brand, id, metadata } = await visitor(world);
    const old = {
      parent: undefined,
      payments: undefined,
      subscription: `sub_${id}`,
      subscription_details: { metadata },
      payment_intent: `pi_${id}`,
      charge: `ch_${id}`,
    };
    await deliver(brand, renewed(id, old));
    expect(await saleOf(world, `in_${id}r`)).toMatchObject({
      subscriptionId: `sub_${id}`,
      providerPaymentId: `pi_${id}`,
    });
  });

  it.each([
    ['without a subscription', { parent: null }],
    ['of a quote', { parent: { type: 'quote_details', quote_details: { quote: 'qt_1' } } }],
    ['without a paid amount', { amount_paid: 0 }],
    ['in an unsupported currency', { currency: 'jpy' }],
  ])('%s is no sale and stores nothing', async (_, more) => {
    const { brand, id, metadata } = await visitor(world);
    const before = await allItems(world);
    await deliver(brand, renewed(id, { metadata, ...more }));
    expect(await allItems(world)).toEqual(before);
  });

  it.each<[string, Parameters<World['brand']>[0], string]>([
    [
      'before the end of the months that earn one',
      { commissionType: 'recurring_percent', durationMonths: 1 },
      '2026-12-20T14:59:59.000Z',
    ],
    ['at any time if the months are unlimited', { commissionType: 'recurring_fixed' }, '2036-12-20T15:00:00.000Z'],
  ])('earns a commission %s', async (_, settings, paidAt) => {
    const { brand, id, metadata } = await visitor(world, settings);
    await deliver(brand, paid(id, { metadata }), renewed(id, { metadata, paidAt: new Date(paidAt) }));
    expect(await saleOf(world, `in_${id}r`)).toMatchObject({ isRecurring: true, commissionState: 'created' });
  });

  it('earns no commission once the program’s months of commission are over', async () => {
    const { brand, id, metadata } = await visitor(world, { commissionType: 'recurring_percent', durationMonths: 1 });
    await deliver(
      brand,
      paid(id, { metadata }),
      renewed(id, { metadata, paidAt: new Date('2026-12-20T15:00:00.000Z') }),
    );
    expect(await saleOf(world, `in_${id}r`)).toMatchObject({ isRecurring: true, commissionState: 'notDue' });
  });
});
