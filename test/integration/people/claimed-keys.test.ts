import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { ownedBrand, type OwnedBrand } from '#test/support/programs/commissions.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import {
  anotherPartner,
  browserLead,
  changeProgram,
  clicked,
  settledLead,
  sold,
} from '#test/support/payments/lives/journeys.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { failedSale } from '#test/support/payments/failed-sales.ts';
import { operated } from '#test/support/callers/operator.ts';
import { customerOf, leadOf, paid, saleOf } from '#test/support/payments/payers.ts';
import { send } from '#test/support/callers/request.ts';
import { deliver, directEndpoint, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// In `browser_allowed` mode, anyone can claim a customer key.

openProcessor();

const world = openedWorld();
let brand: OwnedBrand;
beforeAll(async () => {
  brand = await ownedBrand(world);
  await directEndpoint(world, brand);
  await changeProgram(world, brand, { leadAuth: 'browser_allowed' });
});

let count = 0;
let key: string;
let thief: string;
let person: string;
beforeEach(async () => {
  key = `user-${++count}`;
  thief = await clicked(await anotherPartner(world, brand, `Thief${count}`));
  await browserLead({ click_id: thief, customer_key: key });
  person = await clicked(brand);
});

const keyItem = async () => (await world.items(`KEY#${key}`))[0];

/** Expects that the key belongs to the customer as if a server had bound it. */
async function expectMoved(): Promise<void> {
  expect(await keyItem()).toMatchObject({ clickId: person, customerKey: key });
  expect(await keyItem()).not.toHaveProperty('keyBoundBy');
  expect(await customerOf(world, person)).toMatchObject({ customerKey: key });
  for (const gone of ['customerKey', 'keyBoundBy']) expect(await customerOf(world, thief)).not.toHaveProperty(gone);
  await expectNothingHalfWritten(world);
}

it('a customer key that only a browser sent is marked so on the customer and on the key’s own item', async () => {
  expect(await keyItem()).toMatchObject({ clickId: thief, keyBoundBy: 'browser' });
  expect(await customerOf(world, thief)).toMatchObject({ customerKey: key, keyBoundBy: 'browser' });
});

describe('a customer key that only a browser sent is taken from its customer and given to the customer of another click', () => {
  it('by a sale that names the key and the other click, and the sale’s explanation says so', async () => {
    await sold(brand, { transaction_id: `sale-${key}`, customer_key: key, click_id: person });
    await expectMoved();
    const { body } = await brand.owner.get(`${brand.path}/sales/sale-${key}`);
    expect(body.data.attribution).toMatchObject({ resolved_by: 'click_id', partner: { id: brand.partner.id } });
    expect(body.data.attribution.text).toContain(
      `This sale moved the customer key here from click ${thief}, for which only a browser had claimed it.`,
    );
    await sold(brand, { transaction_id: `later-${key}`, customer_key: key });
    expect(await saleOf(world, `later-${key}`)).toMatchObject({ attribution: { clickId: person } });
  });

  it('by a lead from a server, and the explanation of the lead’s sale says so', async () => {
    await settledLead(brand, { click_id: person, customer_key: key });
    await expectMoved();
    expect(await leadOf(world, person)).toMatchObject({ keyTakenFrom: thief });
    await sold(brand, { transaction_id: `sale-${key}`, customer_key: key });
    const { body } = await brand.owner.get(`${brand.path}/sales/sale-${key}`);
    expect(JSON.stringify(body.data.timeline)).toContain(`its customer key was moved from click ${thief}`);
  });

  it('by a payment whose metadata name the key and the other click', async () => {
    await deliver(brand, paid(key, { metadata: { service_click_id: person, service_customer_key: key } }));
    await expectMoved();
    expect(await keyItem()).toMatchObject({ clickId: person });
  });

  it('by ten parallel sales, after which one customer has the key', async () => {
    const sales = Array.from({ length: 10 }, (_, n) =>
      sold(brand, { transaction_id: `race-${key}-${n}`, customer_key: key, click_id: person }),
    );
    await Promise.all(sales);
    await expectMoved();
    expect(await keyItem()).toMatchObject({ clickId: person });
  });

  it('also if a sale with the key alone is recorded in parallel', async () => {
    const moving = () => sold(brand, { transaction_id: `moving-${key}`, customer_key: key, click_id: person });
    const byKey = () => sold(brand, { transaction_id: `by-${key}`, customer_key: key });
    await failing('write', overtakenBy(moving), byKey);
    await expectMoved();
    expect(await saleOf(world, `by-${key}`)).toMatchObject({ attribution: { clickId: person } });
  });
});

describe('a customer key that a browser sent stays with the customer of its first click', () => {
  it('if a browser names the key with another click', async () => {
    const reply = await send(lead, { body: { click_id: person, customer_key: key } });
    expect(reply.status).toBe(400);
    expect(await keyItem()).toMatchObject({ clickId: thief });
  });

  it('and is no longer marked as sent only by a browser after a sale with that key and first click', async () => {
    await sold(brand, { transaction_id: `own-${key}`, customer_key: key, click_id: thief });
    expect(await keyItem()).not.toHaveProperty('keyBoundBy');
    expect(await customerOf(world, thief)).not.toHaveProperty('keyBoundBy');
    await sold(brand, { transaction_id: `other-${key}`, customer_key: key, click_id: person });
    expect(await saleOf(world, `other-${key}`)).toMatchObject({ attribution: { clickId: thief } });
  });

  it('and is no longer marked as sent only by a browser after `sale repair` of a sale with that key and first click', async () => {
    const id = await failedSale(brand, { customer_key: key, click_id: thief });
    expect(await keyItem()).toMatchObject({ keyBoundBy: 'browser' });
    await operated(world, ['sale', 'repair', '--transaction', id]);
    expect(await keyItem()).not.toHaveProperty('keyBoundBy');
    expect(await customerOf(world, thief)).not.toHaveProperty('keyBoundBy');
    await sold(brand, { transaction_id: `other-${key}`, customer_key: key, click_id: person });
    expect(await saleOf(world, `other-${key}`)).toMatchObject({ attribution: { clickId: thief } });
  });

  it('if it was stored by a version that did not record whether a browser or a server sent it', async () => {
    const unmarked = { set: { keyBoundBy: undefined } };
    await world.deps().table.update(keys.customer(thief), unmarked);
    await world.deps().table.update(keys.customerKey(key, brand.program.id), unmarked);
    await sold(brand, { transaction_id: `sale-${key}`, customer_key: key, click_id: person });
    expect(await saleOf(world, `sale-${key}`)).toMatchObject({ attribution: { clickId: thief } });
  });

  it('if a sale names the key with the click of a customer who already has another key', async () => {
    await settledLead(brand, { click_id: person, customer_key: `own-${key}` });
    await sold(brand, { transaction_id: `sale-${key}`, customer_key: key, click_id: person });
    expect(await saleOf(world, `sale-${key}`)).toMatchObject({ attribution: { clickId: thief } });
  });
});
