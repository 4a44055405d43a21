import { expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { rebuildMetrics } from '#lib/service/reports/counting/rebuild-metrics.ts';
import { cleoWithCode } from '#test/support/programs/codes.ts';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { failedSale } from '#test/support/payments/failed-sales.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { clicked, sold } from '#test/support/payments/lives/journeys.ts';
import { operated } from '#test/support/callers/operator.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { counted, probesPassed } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of the operator's commands for sales attributed by a code.

const world = openedWorld();

it('`sale repair` creates the commission of a sale whose customer came by a coupon code', async () => {
  const brand = await ownedBrand(world);
  const cleo = await cleoWithCode(world, brand);
  const id = await failedSale(brand, { coupon_code: 'SAVE10', customer_key: 'user_1' });
  const { sale } = await saleItems(world, id);
  const { clickId } = sale.attribution as { clickId: string };
  expect((await world.items(`CUSTOMER#${clickId}`))[0]).toMatchObject({ status: 'click', customerKey: 'user_1' });
  expect(await operated(world, `sale repair --transaction ${id}`)).toEqual({ repaired: [id], skipped: [] });
  expect((await saleItems(world, id)).commission).toMatchObject({ partnerId: cleo.partner.id, code: 'SAVE10' });
  expect((await world.items(`CUSTOMER#${clickId}`))[0]).toMatchObject({ status: 'conversion' });
  await expectNothingHalfWritten(world);
});

it('`sale repair` creates the commission for the coupon code’s partner if the sale’s code moved the customer to that partner', async () => {
  const brand = await ownedBrand(world, { codePrecedence: 'code_first' });
  const cleo = await cleoWithCode(world, brand);
  const clickId = await clicked(brand);
  const id = await failedSale(brand, { coupon_code: 'SAVE10', click_id: clickId, customer_key: 'user_2' });
  const later = await failedSale(brand, { click_id: clickId });
  expect((await world.items(`CUSTOMER#${clickId}`))[0]).toMatchObject({
    status: 'click',
    partnerId: cleo.partner.id,
    formerPartnerId: brand.partner.id,
  });
  const repair = await operated(world, 'sale repair --all');
  expect({ ...repair, repaired: repair.repaired.toSorted() }).toEqual({
    repaired: [id, later].toSorted(),
    skipped: [],
  });
  for (const one of [id, later]) {
    expect((await saleItems(world, one)).commission).toMatchObject({ partnerId: cleo.partner.id });
  }
  const [customer] = await world.items(`CUSTOMER#${clickId}`);
  expect(customer).toMatchObject({ status: 'conversion', customerKey: 'user_2', code: 'SAVE10' });
  await expectNothingHalfWritten(world);
});

it('an erasure deletes the customer key from a sale, but not the coupon code, because a code is not personal data', async () => {
  const brand = await ownedBrand(world);
  await cleoWithCode(world, brand);
  await sold(brand, { transaction_id: 'erased', coupon_code: 'SAVE10', customer_key: 'user_1' });
  const { sale } = await saleItems(world, 'erased');
  const { clickId } = sale.attribution as { clickId: string };
  const erased = await eraseCustomer(
    world.deps(),
    { programId: brand.program.id, customerKey: 'user_1' },
    async () => undefined,
  );
  expect(erased).toEqual({ clickId, sales: 1 });
  const { sale: after } = await saleItems(world, 'erased');
  expect(after.attribution).toMatchObject({ resolvedBy: 'code', identifier: 'SAVE10' });
  expect(JSON.stringify([after, await world.items(`CUSTOMER#${clickId}`)])).not.toContain('user_1');
  // The code creates a new customer, because the erased one is not known any more.
  await sold(brand, { transaction_id: 'again', coupon_code: 'SAVE10', customer_key: 'user_1' });
  expect((await saleItems(world, 'again')).sale.attribution).not.toMatchObject({ clickId });
});

it('`metrics rebuild` corrects wrong counts of coupon codes, and does not change correct ones', async () => {
  const brand = await ownedBrand(world, { codePrecedence: 'code_first' });
  await cleoWithCode(world, brand);
  const moved = await clicked(brand);
  await sold(brand, { transaction_id: 'counted', coupon_code: 'SAVE10' });
  await sold(brand, { transaction_id: 'moved', coupon_code: 'SAVE10', click_id: moved });
  const stays = await clicked(brand);
  await sold(brand, { transaction_id: 'before', click_id: stays });
  await sold(brand, { transaction_id: 'stays', coupon_code: 'SAVE10', click_id: stays });
  await counted(world);
  const rebuild = () => rebuildMetrics(world.deps(), brand.program.id, { wait: () => probesPassed(world), probes: 3 });
  const counters = [
    keys.counter({ of: 'code', programId: brand.program.id, code: 'save10' }),
    keys.counter({ of: 'partner', programId: brand.program.id, partnerId: brand.partner.id }),
    keys.counter({ of: 'link', shortLink: brand.shortLink }),
  ];
  const read = async () => (await Promise.all(counters.map(({ pk }) => world.items(pk)))).flat();
  const right = await read();
  expect(right[0]).toMatchObject({ redemptions: 3, sales: 2 });
  await rebuild();
  expect(await read()).toEqual(right);
  const wrong = { set: { redemptions: 7, sales: undefined } };
  await world.deps().table.update(counters[0]!, wrong);
  await rebuild();
  expect((await read())[0]).toMatchObject({ redemptions: 3, sales: 2 });
});
