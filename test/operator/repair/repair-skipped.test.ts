import { beforeEach, expect, it } from 'vitest';
import { handler as sale } from '#functions/track/sale.ts';
import { commissionNotCreated, failedFirstSale, failedSale, fresh } from '#test/support/payments/failed-sales.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { changeProgram, clicked, signedUp } from '#test/support/payments/lives/journeys.ts';
import { operated, operator } from '#test/support/callers/operator.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Tests of sales that a repair skips. The JSON output lists them; the text gives the reason.

const LATER = new Date('2026-11-21T08:00:00.000Z');

const world = openedWorld();
let brand: Brand;
beforeEach(async () => {
  brand = await world.brand();
});

const repair = (id: string, at = LATER) => operated(world, ['sale', 'repair', '--transaction', id], at);
const repairAll = (at = LATER) => operated(world, 'sale repair --all', at);
const waiting = async () => (await world.items('SALES_TO_REPAIR')).map(({ transactionId }) => transactionId);
const buy = (id: string, body: object) =>
  send(sale, { key: brand.key, body: { transaction_id: id, amount_cents: 4900, ...body } });

const untouched = async (id: string) => {
  const before = await allItems(world);
  expect(await repair(id)).toEqual({ repaired: [], skipped: [id] });
  expect(await allItems(world)).toEqual(before);
  return (await operator(world, ['sale', 'repair', '--transaction', id])).out;
};

it('`sale repair` skips a sale whose customer has no partner', async () => {
  const clickId = await clicked(brand);
  await operated(world, `customer unlink --click-id ${clickId}`);
  const id = fresh('noPartner');
  expect((await buy(id, { click_id: clickId })).body.error.message).toBe('partnerId required to create commission');
  expect(await untouched(id)).toEqual([`${id}  skipped: its customer had no partner`]);
  expect((await repairAll()).skipped).toContain(id);
  expect(await waiting()).toContain(id);
});

it.each([
  ['with its commission', {}, undefined],
  ['without a commission due', { is_recurring: true }, {}],
  ['in test mode', { additional_data: { test_mode: true } }, undefined],
])('`sale repair` skips a sale %s', async (name, body, before) => {
  const customerKey = fresh('complete');
  await signedUp(brand, customerKey);
  if (before) await buy(fresh('before'), { customer_key: customerKey });
  const id = fresh(name);
  expect((await buy(id, { customer_key: customerKey, ...body })).status).toBe(200);
  expect(await untouched(id)).toEqual([`${id}  skipped: no commission is missing`]);
});

it('`sale repair` skips a sale that it has already repaired', async () => {
  const { id } = await failedFirstSale(brand);
  await repair(id);
  expect(await untouched(id)).toEqual([`${id}  skipped: no commission is missing`]);
});

it('`sale repair` skips a sale if no commission can be computed from its terms', async () => {
  await changeProgram(world, brand, { commissionRate: 0 });
  const customerKey = fresh('broken');
  await signedUp(brand, customerKey);
  const id = fresh('broken');
  expect((await buy(id, { customer_key: customerKey })).body).toEqual(commissionNotCreated);
  await changeProgram(world, brand, { commissionRate: 20 });
  const said = await repair(id);
  expect(said).toEqual({ repaired: [], skipped: [id] });
  expect((await saleItems(world, id)).commission).toBeUndefined();
  const { out } = await operator(world, ['sale', 'repair', '--transaction', id]);
  expect(out).toEqual([`${id}  skipped: No commission can be computed from percent 0`]);
});

it('`sale repair` skips a payment after the months in which the customer’s payments earn a commission', async () => {
  brand = await world.brand({ commissionType: 'recurring_percent', durationMonths: 1 });
  const { id: first, customerKey, clickId } = await failedFirstSale(brand);
  const after = new Date('2027-01-20T15:00:00.000Z');
  const second = await failedSale(brand, { customer_key: customerKey, is_recurring: true }, after);
  const { repaired, skipped } = await repairAll(after);
  expect([repaired.includes(first), skipped.includes(second)]).toEqual([true, true]);
  const { sale: stored, commission } = await saleItems(world, second);
  expect([stored.commissionState, commission]).toEqual(['notDue', undefined]);
  expect(await world.items(`CUSTOMER#${clickId}`)).toContainEqual(
    expect.objectContaining({ firstPurchaseAt: NOW.toISOString() }),
  );
  expect(await waiting()).not.toContain(second);
});
