import { describe, expect, it } from 'vitest';
import { handler } from '#functions/track/sale.ts';
import { ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { changeProgram, signedUp, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { World } from '#test/support/programs/world.ts';

const world = openedWorld();

let sales = 0;
/** Makes a sale of 119.00 with 19.00 of tax in a program that pays 20 percent. */
async function taxed(settings: Parameters<World['brand']>[0], body: object = { tax_cents: 1900 }) {
  const own = await ownedBrand(world, settings);
  const id = `taxed_${++sales}`;
  await soldTo(own, id, { transaction_id: id, amount_cents: 11_900, ...body });
  return { own, id, explained: () => own.owner.get(`${own.path}/sales?transaction_id=${id}`) };
}

describe('the base amount of a percent commission', () => {
  it.each([
    [undefined, { tax_cents: 1900 }, { taxCents: 1900 }, 11_900, 2380],
    ['gross', { tax_cents: 1900 }, { taxCents: 1900 }, 11_900, 2380],
    ['excluding_tax', { tax_cents: 1900 }, { taxCents: 1900, baseCents: 10_000 }, 10_000, 2000],
    ['excluding_tax', { tax_cents: 0 }, { taxCents: 0, baseCents: 11_900 }, 11_900, 2380],
    ['excluding_tax', { tax_cents: 11_900 }, { taxCents: 11_900, baseCents: 0 }, 0, 0],
    ['excluding_tax', {}, { baseCents: 11_900 }, 11_900, 2380],
    ['excluding_tax', { tax_cents: null }, { baseCents: 11_900 }, 11_900, 2380],
    [undefined, {}, {}, 11_900, 2380],
  ] as const)(
    'with the setting %s, and a sale with %j (stored as %j), is %i cents, and the commission is %i cents',
    async (commissionBase, body, kept, base, cents) => {
      const { id, explained } = await taxed({ commissionBase }, body);
      const { sale, commission } = await saleItems(world, id);
      expect({ taxCents: sale.taxCents, baseCents: sale.baseCents }).toEqual({
        taxCents: undefined,
        baseCents: undefined,
        ...kept,
      });
      const fee = { amountCents: 417, reducedCents: 0, bps: 350, currency: 'USD' };
      expect(commission).toMatchObject({ baseAmountCents: base, amountCents: cents, platformFee: fee });
      expect((await explained()).body.data).toMatchObject({
        sale: { amount_cents: 11_900, tax_cents: 'taxCents' in kept ? kept.taxCents : null, base_cents: base },
        commission: { base_amount_cents: base, amount_cents: cents },
      });
    },
  );

  it('does not change the amount of a fixed commission', async () => {
    const { id } = await taxed({ commissionBase: 'excluding_tax', commissionType: 'fixed', commissionRate: 5 });
    expect((await saleItems(world, id)).commission).toMatchObject({ baseAmountCents: 10_000, amountCents: 500 });
  });

  it('is computed by the setting that was in force at the sale', async () => {
    const { own, id } = await taxed({ commissionBase: 'excluding_tax' });
    const before = await saleItems(world, id);
    await own.owner.patch(own.path, { commission_base: 'gross' });
    expect(await saleItems(world, id)).toEqual(before);
    await sold(own, { transaction_id: `${id}b`, customer_key: id, amount_cents: 11_900, tax_cents: 1900 });
    expect((await saleItems(world, `${id}b`)).commission).toMatchObject({ baseAmountCents: 11_900 });
  });
});

it('a commission has a base amount even if its sale was stored before sales had taxes', async () => {
  const { id, explained } = await taxed({}, {});
  expect((await saleItems(world, id)).sale).not.toHaveProperty('taxCents');
  expect((await explained()).body.data.sale).toMatchObject({ tax_cents: null, base_cents: 11_900 });
});

it('a refund of half the sale deducts half the commission, also if the commission excludes tax', async () => {
  const { own, id } = await taxed({ commissionBase: 'excluding_tax' });
  const { body } = await refunded(own, { transaction_id: id, refund_amount_cents: 5950 });
  expect(body).toMatchObject({ status: 'refunded', refunded_amount_cents: 5950, deduction_cents: 1000 });
  await refunded(own, { transaction_id: id, refund_amount_cents: 11_900 });
  expect((await saleItems(world, id)).commission).toMatchObject({ status: 'reversed', deductedCents: 2000 });
});

it('a test sale stores its tax', async () => {
  const brand = await world.brand({ commissionBase: 'excluding_tax' });
  const body = {
    transaction_id: 'test tax',
    amount_cents: 11_900,
    tax_cents: 1900,
    additional_data: { test_mode: true },
  };
  expect((await send(handler, { key: brand.key, body })).status).toBe(200);
  expect((await saleItems(world, 'test tax')).sale).toMatchObject({ isTest: true, taxCents: 1900 });
});

describe('a sale with an invalid tax is refused with 400', () => {
  it.each([-1, 1.5, 4901, '900', true, [], [[1]], {}, 1e300, 2 ** 53])(
    'and the message about tax_cents if the tax is %j',
    async (tax) => {
      const brand = await world.brand();
      await signedUp(brand, 'u');
      const id = `wrong tax ${++sales}`;
      const body = { transaction_id: id, amount_cents: 4900, customer_key: 'u', tax_cents: tax, occurred_at: 'never' };
      const refusal = codedError(400, 'invalid_request', 'tax_cents must be an integer from 0 to amount_cents');
      expect(await send(handler, { key: brand.key, body })).toMatchObject({ status: 400, body: refusal });
      expect(await world.items(`SALE#${id}`)).toEqual([]);
    },
  );

  it.each([0, '4900', [[[4900]]]])(
    'but with the message about the amount if the amount %j is invalid as well',
    async (amount) => {
      const brand = await world.brand();
      const body = { transaction_id: 'x', amount_cents: amount, customer_key: 'u', tax_cents: 4901 };
      const refusal = codedError(400, 'invalid_request', 'amount_cents is required and must be a positive integer');
      expect(await send(handler, { key: brand.key, body })).toMatchObject({ status: 400, body: refusal });
    },
  );
});

it('an invalid tax of a test sale is refused, too', async () => {
  const brand = await world.brand();
  const body = { amount_cents: 100, tax_cents: 101, additional_data: { test_mode: true } };
  expect((await send(handler, { key: brand.key, body })).status).toBe(400);
});

it('a program that never chose a commission base shows the base `gross`, and can change it', async () => {
  const own = await ownedBrand(world);
  await changeProgram(world, own, { commissionBase: undefined });
  expect((await own.owner.get(own.path)).body.data.commission_base).toBe('gross');
  expect((await own.owner.patch(own.path, { commission_base: 'excluding_tax' })).body.data.commission_base).toBe(
    'excluding_tax',
  );
  expect((await own.owner.get(own.path)).body.data.commission_base).toBe('excluding_tax');
});
