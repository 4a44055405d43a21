import { beforeAll, expect, it } from 'vitest';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import { cleoWithCode, givenCode } from '#test/support/programs/codes.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { clicked, sold } from '#test/support/payments/lives/journeys.ts';
import { operated } from '#test/support/callers/operator.ts';
import { customerOf, saleOf } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of data of codes and their customers that a restored table may lack.

const world = openedWorld();
let brand: OwnedBrand;
let cleo: Awaited<ReturnType<typeof cleoWithCode>>;
beforeAll(async () => {
  brand = await ownedBrand(world, { codePrecedence: 'code_first' });
  cleo = await cleoWithCode(world, brand, { processorCodeId: 'promo_1' });
});

const TO = new Date(NOW.getTime() + 60_000);
const lose = (key: Key) => world.deps().table.transact([{ name: 'lost', key, remove: true }]);
const check = () => operated(world, ['restore', 'check', '--to', TO.toISOString(), '--former-table-lost'], TO);

it('`restore check` restores a lost customer whom a coupon code brought', async () => {
  await sold(brand, { transaction_id: 'made', coupon_code: 'SAVE10', customer_key: 'user_1' });
  const { clickId } = (await saleOf(world, 'made'))!.attribution as { clickId: string };
  const before = await customerOf(world, clickId);
  await lose(keys.customer(clickId));
  expect(await check()).toMatchObject({
    repaired: [
      'sale made: its customer, whom a code brought',
      `customer ${clickId}: its key`,
      "sale made: its customer's conversion",
    ],
    unrepaired: [],
  });
  expect(await customerOf(world, clickId)).toEqual(before);
  expect(await check()).toMatchObject({ repaired: [], unrepaired: [] });
});

it('`restore check` gives a customer to the partner of a coupon code again if the restore undid that', async () => {
  const clickId = await clicked(brand);
  await sold(brand, { transaction_id: 'moved', coupon_code: 'SAVE10', click_id: clickId });
  const before = await customerOf(world, clickId);
  await world.deps().table.update(keys.customer(clickId), {
    set: {
      status: 'click',
      firstPurchaseAt: undefined,
      code: undefined,
      formerPartnerId: undefined,
      partnerId: brand.partner.id,
    },
  });
  expect(await check()).toMatchObject({
    repaired: ['sale moved: its customer, whom a code brought', "sale moved: its customer's conversion"],
    unrepaired: [],
  });
  expect(await customerOf(world, clickId)).toEqual(before);
  expect(before).toMatchObject({ partnerId: cleo.partner.id, formerPartnerId: brand.partner.id });
});

it('`restore check` reports, for a manual decision, a sale and a commission that belong to different customers', async () => {
  await sold(brand, { transaction_id: 'halfway', coupon_code: 'SAVE10', customer_key: 'user_2' });
  const clickId = await clicked(brand);
  const { attribution } = (await saleOf(world, 'halfway'))!;
  const former = (attribution as { clickId: string }).clickId;
  const attributed = (to: object) => world.deps().table.update(keys.sale('halfway'), { set: { attribution: to } });
  await attributed({ ...(attribution as object), clickId, partnerId: brand.partner.id, resolvedBy: 'click_id' });
  expect(await check()).toMatchObject({
    unrepaired: [`sale halfway: it is customer ${clickId}’s, its commission customer ${former}’s`],
  });
  await attributed(attribution as object);
  await world.deps().table.update(keys.customer(clickId), {
    set: { status: 'click', firstPurchaseAt: undefined, firstTerms: undefined, gsi2pk: undefined, gsi2sk: undefined },
  });
  await lose(keys.saleOfCustomer(clickId, NOW.toISOString(), 'halfway'));
});

it('`restore check` restores the item that leads from the id of a Stripe promotion code to its code, unless another code has that id', async () => {
  const claim = keys.processorCode(brand.program.id, 'promo_1');
  await lose(claim);
  expect(await check()).toMatchObject({ repaired: ['code SAVE10: its id at the processor'], unrepaired: [] });
  expect(await world.items(claim.pk)).toMatchObject([{ code: 'SAVE10' }]);
  await expectNothingHalfWritten(world);
  await givenCode(world, brand, { code: 'OTHER' });
  await world.deps().table.update(claim, { set: { code: 'OTHER' } });
  expect(await check()).toMatchObject({
    repaired: [],
    unrepaired: ['code SAVE10: promo_1 belongs to code OTHER'],
  });
});
