import { beforeAll, describe, expect, it } from 'vitest';
import { handler } from '#functions/track/sale.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { changeProgram, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let brand: Brand;
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand({ currency: 'EUR' });
  await signedUp(brand, 'buyer');
});

describe('a sale that names no currency', () => {
  it('gets the program’s currency, and so does its commission', async () => {
    await sold(brand, { transaction_id: 'euros', customer_key: 'buyer' });
    expect(await world.items('SALE#euros')).toMatchObject([
      { sk: 'COMMISSION', currency: 'EUR', amountCents: 980 },
      { sk: 'SALE', currency: 'EUR', amountCents: 4900 },
    ]);
  });

  it('gets the program’s currency also if the sent currency is null', async () => {
    await sold(brand, { transaction_id: 'null', customer_key: 'buyer', currency: null });
    expect(await world.items('SALE#null')).toMatchObject([{ currency: 'EUR' }, { currency: 'EUR' }]);
  });

  it('gets the program’s currency in test mode too', async () => {
    const body = { transaction_id: 'test', amount_cents: 1, additional_data: { test_mode: true } };
    expect((await send(handler, { key: brand.key, body })).status).toBe(200);
    expect(await world.items('SALE#test')).toMatchObject([{ isTest: true, currency: 'EUR' }]);
  });

  it('is refused if the installation no longer supports the program’s currency', async () => {
    const other = await world.brand();
    await signedUp(other, 'other');
    await changeProgram(world, other, { currency: 'GBP' });
    const body = { transaction_id: 'pounds', amount_cents: 1, customer_key: 'other' };
    expect((await send(handler, { key: other.key, body })).body).toEqual(
      codedError(422, 'unsupported_currency', 'currency GBP is not supported'),
    );
    expect(await world.items('SALE#pounds')).toEqual([]);
  });
});

it('a sale in a supported currency other than the program’s is stored in the sent currency', async () => {
  await sold(brand, { transaction_id: 'sent', customer_key: 'buyer', currency: 'usd' });
  expect(await world.items('SALE#sent')).toMatchObject([{ currency: 'USD' }, { currency: 'USD' }]);
});
