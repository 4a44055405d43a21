import { beforeAll, expect, it } from 'vitest';
import { rebuildMetrics } from '#lib/service/reports/counting/rebuild-metrics.ts';
import { sold } from '#test/support/payments/lives/journeys.ts';
import { paid, renewed, visitorOf } from '#test/support/payments/payers.ts';
import { charge, deliver, directBrand, dispute, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { counted, counterItems, forgetCounts, probesPassed } from '#test/support/table/stream.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

openProcessor();

let world: World;
let brand: Brand;
/** Makes sales of both sources, one with a test card, and refunds and won disputes. */
beforeAll(async () => {
  world = await openWorld();
  brand = await directBrand(world, { commissionType: 'recurring_percent' });
  const { id, clickId, metadata } = await visitorOf(brand);
  await deliver(
    brand,
    paid(id, { metadata }),
    renewed(id, { metadata }),
    stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 })),
    stripeEvent('charge.dispute.created', dispute(`${id}r`)),
    stripeEvent('charge.dispute.closed', dispute(`${id}r`, { status: 'won' })),
    { ...paid(`${id}test`, { metadata }), livemode: false },
  );
  await sold(brand, { transaction_id: `sale_${id}`, click_id: clickId });
});

it('a rebuild counts Stripe’s payments and refunds exactly as the consumer of the stream does', async () => {
  await counted(world);
  const byStream = await counterItems(world);
  expect(byStream[`PROGRAM#${brand.program.id}`]).toMatchObject({
    'clicks@2026-11-20': 1,
    'sales@2026-11-20': 3,
    'revenueUSD@2026-11-20': 3 * 4900,
    'refundedUSD@2026-11-20': 2450,
    'commissionUSD@2026-11-20': 3 * 980 - 490,
    'platformFeeUSD@2026-11-20': 3 * 172 - 86,
  });
  await forgetCounts(world);
  await rebuildMetrics(world.deps(), brand.program.id, { wait: () => probesPassed(world), probes: 3 });
  expect(await counterItems(world)).toEqual(byStream);
});
