import { beforeAll, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { signedUp, sold } from '#test/support/payments/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

it('reads the reversals of a sale that an earlier version stored, and writes them as that version did', async () => {
  const brand = await world.brand();
  await signedUp(brand, 'early');
  await sold(brand, { transaction_id: 'early', customer_key: 'early' });
  const key = keys.sale('early');
  const takings = {
    apiCents: 0,
    charges: { ch_1: 1_000 },
    disputes: { dp_1: { amountCents: 500, state: 'won' } },
  };
  await world.deps().table.update(key, { set: { takings, refundedCents: 1_000, refundReason: 'refund' } });

  expect(await findSale(world.deps().table, 'early')).toMatchObject({ refundedCents: 1_000, reversals: takings });
  // Were the reversals overlooked, the API's total would hide the charge's.
  await send(refund, { key: brand.key, body: { transaction_id: 'early', refund_amount_cents: 900 } });
  expect(await storedSale()).toMatchObject({ takings, refundedCents: 1_000 });
  await send(refund, { key: brand.key, body: { transaction_id: 'early', refund_amount_cents: 2_000 } });
  const stored = await storedSale();
  expect(stored).toMatchObject({ takings: { ...takings, apiCents: 2_000 }, refundedCents: 2_000 });
  expect(stored).not.toHaveProperty('reversals');
});

const storedSale = async () => (await world.items(keys.sale('early').pk)).find(({ sk }) => sk === 'SALE');
