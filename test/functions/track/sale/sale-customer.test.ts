import { describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { handler } from '#functions/track/sale.ts';
import { codedError, platformError } from '#test/support/servers/errors.ts';
import {
  browserLead,
  changeProgram,
  clicked,
  removePartner,
  settledLead,
  signedUp,
  sold,
  unlinkPartner,
} from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { listingOf } from '#test/support/table/sale-items.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

let sales = 0;
const newId = () => `sale_${++sales}`;
const customerOf = async (clickId: string) => (await world.items(`CUSTOMER#${clickId}`))[0];
const attributionOf = async (transactionId: string) => (await world.items(`SALE#${transactionId}`)).at(-1)?.attribution;

describe('a sale belongs to', () => {
  it('the key’s customer if click_id and customer_key belong to two customers', async () => {
    const brand = await world.brand();
    const first = await signedUp(brand, 'first');
    const second = await clicked(brand);
    const id = newId();
    await sold(brand, { transaction_id: id, customer_key: 'first', click_id: second });
    expect(await attributionOf(id)).toMatchObject({ clickId: first, resolvedBy: 'customer_key', identifier: 'first' });
    expect(await customerOf(second)).toMatchObject({ status: 'click' });
  });

  it('the click’s customer if the key is unknown and that customer has no key', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand);
    const id = newId();
    await sold(brand, { transaction_id: id, customer_key: 'unknown', click_id: clickId });
    expect(await attributionOf(id)).toMatchObject({ clickId, resolvedBy: 'click_id', identifier: clickId });
  });

  it('a new customer of the click’s partner if the key is unknown and the click’s customer has another key', async () => {
    const brand = await world.brand();
    const clickId = await signedUp(brand, 'known');
    const id = newId();
    await sold(brand, { transaction_id: id, customer_key: 'other', click_id: clickId });
    const attribution = (await attributionOf(id)) as { clickId: string };
    expect(attribution).toMatchObject({
      customerKey: 'other',
      partnerId: brand.partner.id,
      resolvedBy: 'click_id',
      identifier: clickId,
    });
    expect(await customerOf(attribution.clickId)).toMatchObject({
      source: 'shared_click',
      sharedClick: { clickId, place: 2 },
      status: 'conversion',
    });
    expect(await customerOf(clickId)).toMatchObject({ customerKey: 'known', status: 'lead', people: 2 });
    expect(await world.items('KEY#other')).toMatchObject([{ clickId: attribution.clickId }]);
  });

  it('the click’s customer if the sent key is too long to be stored', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand);
    await sold(brand, { transaction_id: newId(), customer_key: 'x'.repeat(256), click_id: clickId });
    expect(await customerOf(clickId)).not.toHaveProperty('customerKey');
  });

  it('the program’s own customer if the other identifier belongs to another program', async () => {
    const [brand, other] = [await world.brand(), await world.brand()];
    const elsewhere = await signedUp(other, 'shared');
    const clickId = await clicked(brand);
    const ids = [newId(), newId()] as const;
    await sold(brand, { transaction_id: ids[0], customer_key: 'shared', click_id: clickId });
    expect(await attributionOf(ids[0])).toMatchObject({ clickId, resolvedBy: 'click_id' });
    await sold(brand, { transaction_id: ids[1], customer_key: 'shared', click_id: elsewhere });
    expect(await attributionOf(ids[1])).toMatchObject({ clickId, resolvedBy: 'customer_key' });
    expect(await customerOf(elsewhere)).toMatchObject({ status: 'lead' });
  });

  it('the same customer whether the key is sent as a number or a string', async () => {
    const brand = await world.brand();
    const clickId = await signedUp(brand, '4217');
    const id = newId();
    await sold(brand, { transaction_id: id, customer_key: 4217 });
    expect(await attributionOf(id)).toMatchObject({ clickId, identifier: '4217' });
  });
});

it('a sale whose key differs from the customer’s in upper and lower case or spaces is refused with no_attribution', async () => {
  const brand = await world.brand();
  await signedUp(brand, 'Case');
  for (const customerKey of ['case', ' Case', 'Case#PROGRAM#1']) {
    const body = { transaction_id: 'exact', amount_cents: 1, customer_key: customerKey };
    expect((await send(handler, { key: brand.key, body })).body.error.code).toBe('no_attribution');
  }
});

describe('the customer_key of a sale becomes the customer’s key', () => {
  it('if the click id finds a customer without a key, and the key finds that customer from then on', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand);
    await sold(brand, { transaction_id: newId(), customer_key: 'bound', click_id: clickId });
    const customer = await customerOf(clickId);
    expect(customer).toMatchObject({ status: 'conversion', customerKey: 'bound' });
    const { id: _, visit: __, sk: ___, pk: ____, ...listed } = customer!;
    const { gsi1pk: _____, gsi1sk: ______, gsi2pk: _______, gsi2sk: ________, ...attributed } = listed;
    expect(await world.items('KEY#bound')).toEqual([
      { pk: 'KEY#bound', sk: `PROGRAM#${brand.program.id}`, ...attributed },
    ]);
    const id = newId();
    await sold(brand, { transaction_id: id, customer_key: 'bound' });
    expect(await attributionOf(id)).toMatchObject({ clickId, resolvedBy: 'customer_key' });
  });

  it('even if the customer has already bought', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand);
    await sold(brand, { transaction_id: newId(), click_id: clickId });
    const { firstPurchaseAt } = (await customerOf(clickId))!;
    const at = new Date('2026-11-22T00:00:00.000Z');
    await sold(brand, { transaction_id: newId(), customer_key: 'later', click_id: clickId }, { at });
    expect(await customerOf(clickId)).toMatchObject({ customerKey: 'later', firstPurchaseAt });
    expect(await world.items('KEY#later')).toMatchObject([{ clickId, status: 'conversion', firstPurchaseAt }]);
  });

  it('if a settled lead was sent without a key before', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId });
    await sold(brand, { transaction_id: newId(), customer_key: 'after_lead', click_id: clickId });
    expect(await world.items('KEY#after_lead')).toMatchObject([{ clickId, leadState: 'settled' }]);
  });

  it('in each program separately', async () => {
    const brands = [await world.brand(), await world.brand()];
    for (const brand of brands) {
      const clickId = await clicked(brand);
      await sold(brand, { transaction_id: newId(), customer_key: 'of_both', click_id: clickId });
    }
    expect((await world.items('KEY#of_both')).map(({ programId }) => programId)).toEqual(
      brands.map(({ program }) => program.id),
    );
  });

  it('for only one of two customers whose sales send the same key in parallel, and both sales go to that customer', async () => {
    const brand = await world.brand();
    const [a, b] = [await clicked(brand), await clicked(brand)];
    const ids = [newId(), newId()] as const;
    await Promise.all([
      sold(brand, { transaction_id: ids[0], customer_key: 'raced', click_id: a }),
      sold(brand, { transaction_id: ids[1], customer_key: 'raced', click_id: b }),
    ]);
    const [owner] = await world.items('KEY#raced');
    for (const id of ids) expect(await attributionOf(id)).toMatchObject({ clickId: owner?.clickId });
    for (const clickId of [a, b]) {
      const status = clickId === owner?.clickId ? 'conversion' : 'click';
      expect(await customerOf(clickId)).toMatchObject({ status });
    }
  });
});

describe('the customer_key of a sale does not become the customer’s key', () => {
  it('if the customer has a provisional lead, which stays provisional', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand);
    await browserLead({ click_id: clickId, customer_key: 'claimed' });
    await sold(brand, { transaction_id: newId(), customer_key: 'claimed', click_id: clickId });
    const customer = await customerOf(clickId);
    expect(customer).toMatchObject({ status: 'conversion', leadState: 'provisional' });
    expect(customer).not.toHaveProperty('customerKey');
    expect(customer).not.toHaveProperty('signupAt');
    expect(await world.items('KEY#claimed')).toEqual([]);

    // The sale does not settle the lead, and a later lead with the key is refused.
    const { status, body } = await send(lead, { key: brand.key, body: { click_id: clickId, customer_key: 'claimed' } });
    expect(status).toBe(400);
    expect(body).toEqual(platformError(400, 'Customer status cannot be updated to lead. Current status: conversion'));
  });

  it('if the customer has no partner and already has another key', async () => {
    const brand = await world.brand();
    const clickId = await signedUp(brand, 'kept');
    await unlinkPartner(world, brand, clickId, 'kept');
    const body = { transaction_id: newId(), amount_cents: 1, customer_key: 'second_key', click_id: clickId };
    expect((await send(handler, { key: brand.key, body })).status).toBe(400);
    expect(await customerOf(clickId)).toMatchObject({ customerKey: 'kept' });
    expect(await world.items('KEY#second_key')).toEqual([]);
  });
});

describe('a sale that fails with 400 “partnerId required to create commission”', () => {
  it.each(['click_id', 'customer_key'])(
    'is stored for a customer found by %s, and the customer does not change',
    async (by) => {
      const brand = await world.brand();
      const customerKey = `unlinked_by_${by}`;
      const clickId = await signedUp(brand, customerKey);
      await unlinkPartner(world, brand, clickId, customerKey);
      const before = [await world.items(`CUSTOMER#${clickId}`), await world.items(`KEY#${customerKey}`)];
      const transactionId = newId();
      const body = {
        transaction_id: transactionId,
        amount_cents: 4900,
        [by]: by === 'click_id' ? clickId : customerKey,
      };

      const reply = await send(handler, { key: brand.key, body });
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual(codedError(400, 'no_attribution', 'partnerId required to create commission'));
      const stored = await world.items(`SALE#${transactionId}`);
      expect(stored).toMatchObject([
        {
          sk: 'SALE',
          commissionState: 'noPartner',
          terms: {
            commissionType: 'percent',
            commissionRate: 20,
            currency: 'USD',
            holdPeriodDays: 15,
            platformFeeBps: 350,
          },
          attribution: { clickId, customerKey },
        },
      ]);
      // Only the data that decides whether a later payment is a renewal changes.
      const [customer, key] = before.map((items) =>
        items.map((item) => (item.sk === 'LEAD' ? item : { ...item, hasPaidFor: 'payment' })),
      );
      expect([await world.items(`CUSTOMER#${clickId}`), await world.items(`KEY#${customerKey}`)]).toEqual([
        [...customer!, listingOf(clickId, NOW, transactionId)],
        key,
      ]);

      const again = await send(handler, { key: brand.key, body });
      expect(again.body).toEqual(
        codedError(409, 'duplicate_transaction', 'Duplicate transaction_id. This sale has already been recorded.', {
          sale_id: stored[0]?.id,
          own: true,
        }),
      );
      expect(await world.items(`SALE#${transactionId}`)).toEqual(stored);
    },
  );
});

it('if a partner was removed and the customer was also unlinked, a sale gets the error of a customer without a partner', async () => {
  const brand = await world.brand();
  const clickId = await clicked(brand);
  await unlinkPartner(world, brand, clickId);
  await removePartner(world, brand);
  const body = { transaction_id: newId(), amount_cents: 1, click_id: clickId };
  expect((await send(handler, { key: brand.key, body })).body.error.message).toBe(
    'partnerId required to create commission',
  );
});

describe('a sale that fails with 400 “No partner-program relationship found for this customer”', () => {
  it('is refused while the partner is removed, and the same transaction id can be sent again later', async () => {
    const brand = await world.brand();
    await signedUp(brand, 'removed');
    await sold(brand, { transaction_id: newId(), customer_key: 'removed' });
    await removePartner(world, brand);
    const body = { transaction_id: newId(), amount_cents: 100, customer_key: 'removed' };
    const refused = await send(handler, { key: brand.key, body });
    expect(refused.body).toEqual(
      codedError(400, 'no_attribution', 'No partner-program relationship found for this customer'),
    );
    expect(await world.items(`SALE#${body.transaction_id}`)).toEqual([]);
    await changeProgram(world, brand, { removedPartnerIds: [] });
    expect(await sold(brand, body)).toMatchObject({ attributed: true });
  });
});
