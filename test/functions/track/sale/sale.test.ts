import { describe, expect, it } from 'vitest';
import { handler } from '#functions/track/sale.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { changeProgram, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { listingOf } from '#test/support/table/sale-items.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const LATER = new Date('2026-11-25T08:30:00.000Z');

describe('POST track/sale is answered 200', () => {
  it('and records the sale, its commission and the customer’s conversion', async () => {
    const brand = await world.brand();
    const clickId = await signedUp(brand, 'all');
    const [before] = await world.items(`CUSTOMER#${clickId}`);

    const reply = await send(handler, {
      key: brand.key,
      body: { transaction_id: ' in_1 ', amount_cents: 4900, customer_key: 'all' },
      at: LATER,
    });

    const { sale_id: saleId, commission_id: commissionId } = reply.body;
    expect(saleId).toBeTypeOf('number');
    expect(commissionId).toBeTypeOf('number');
    expect(reply).toEqual({
      status: 200,
      headers: countedHeaders(120, 1, LATER),
      body: {
        success: true,
        sale_id: saleId,
        commission_id: commissionId,
        attributed: true,
        is_recurring: false,
        message: 'Sale tracked successfully',
      },
    });

    const programId = brand.program.id;
    const at = LATER.toISOString();
    expect(await world.items('SALE#in_1')).toEqual([
      {
        pk: 'SALE#in_1',
        sk: 'COMMISSION',
        gsi1pk: `PROGRAM#${programId}#UNSETTLED_COMMISSIONS`,
        gsi1sk: `${at}#${commissionId}#${brand.partner.id}#USD#pending#980#2026-12-10T08:30:00.000Z#2026-11-25`,
        gsi2pk: `PARTNER#${programId}#${brand.partner.id}#OPEN_COMMISSIONS`,
        gsi2sk: `${at}#${commissionId}#${brand.partner.id}#USD#pending#980#2026-12-10T08:30:00.000Z#2026-11-25`,
        id: commissionId,
        programId,
        partnerId: brand.partner.id,
        shortLink: brand.shortLink,
        clickId,
        saleId,
        transactionId: 'in_1',
        status: 'pending',
        commissionType: 'percent',
        commissionRate: 20,
        terms: { version: 1, from: 'program', name: brand.program.name },
        baseAmountCents: 4900,
        amountCents: 980,
        deductedCents: 0,
        currency: 'USD',
        refundState: 'none',
        platformFee: { amountCents: 172, reducedCents: 0, bps: 350, currency: 'USD' },
        occurredAt: at,
        createdAt: at,
        holdUntil: '2026-12-10T08:30:00.000Z',
        history: [{ at, actor: 'api', action: 'created', from: null, to: 'pending', amountCents: 980, reason: null }],
      },
      {
        pk: 'SALE#in_1',
        sk: 'SALE',
        gsi1pk: `PROGRAM#${programId}#EVENTS#sale`,
        gsi1sk: `${at}#${saleId}`,
        id: saleId,
        programId,
        source: 'api',
        transactionId: 'in_1',
        amountCents: 4900,
        currency: 'USD',
        saleType: 'payment',
        isRecurring: false,
        occurredAt: at,
        createdAt: at,
        refundedCents: 0,
        attribution: {
          clickId,
          customerKey: 'all',
          partnerId: brand.partner.id,
          shortLink: brand.shortLink,
          resolvedBy: 'customer_key',
          identifier: 'all',
          window: {
            comparedWith: 'signup',
            comparedAt: NOW.toISOString(),
            ageMs: 0,
            windowDays: 60,
            within: true,
          },
        },
        termsVersion: { version: 1, from: 'program', name: brand.program.name },
        commissionState: 'created',
        commissionId,
      },
    ]);

    expect(await world.items(`CUSTOMER#${clickId}`)).toEqual([
      { ...before, status: 'conversion', firstPurchaseAt: at, firstTerms: 1, hasPaidFor: 'payment' },
      expect.objectContaining({ sk: 'LEAD' }),
      listingOf(clickId, LATER, 'in_1'),
    ]);
    const [byKey] = await world.items('KEY#all');
    expect(byKey).toMatchObject({
      clickId,
      status: 'conversion',
      firstPurchaseAt: at,
      firstTerms: 1,
      hasPaidFor: 'payment',
    });
  });

  it('and stores occurred_at as the payment time and the clock’s time as the recording time', async () => {
    const brand = await world.brand();
    await signedUp(brand, 'timed');
    await sold(
      brand,
      {
        transaction_id: 'timed',
        customer_key: 'timed',
        occurred_at: '2026-11-20T20:00:00+04:00',
      },
      { at: LATER },
    );
    const [commission, sale] = await world.items('SALE#timed');
    const times = { occurredAt: '2026-11-20T16:00:00.000Z', createdAt: LATER.toISOString() };
    expect(sale).toMatchObject(times);
    expect(commission).toMatchObject({ ...times, holdUntil: '2026-12-10T08:30:00.000Z' });
    const [byKey] = await world.items('KEY#timed');
    expect(byKey).toMatchObject({ firstPurchaseAt: times.occurredAt });
  });

  it('and does not change a customer who has bought before', async () => {
    const brand = await world.brand();
    const clickId = await signedUp(brand, 'twice');
    await sold(brand, { transaction_id: 'twice_1', customer_key: 'twice' });
    const before = [...(await world.items('KEY#twice')), ...(await world.items(`CUSTOMER#${clickId}`))];
    await sold(brand, { transaction_id: 'twice_2', customer_key: 'twice' }, { at: LATER });
    const after = [...(await world.items('KEY#twice')), ...(await world.items(`CUSTOMER#${clickId}`))];
    expect(after).toEqual([...before, listingOf(clickId, LATER, 'twice_2')]);
    const [commission, sale] = await world.items('SALE#twice_2');
    expect(commission).toMatchObject({ amountCents: 980, status: 'pending' });
    expect(sale?.attribution).not.toHaveProperty('window');
  });

  it('while the program is paused', async () => {
    const brand = await world.brand();
    await signedUp(brand, 'paused');
    await changeProgram(world, brand, { status: 'paused' });
    expect(await sold(brand, { transaction_id: 'paused', customer_key: 'paused' })).toMatchObject({ attributed: true });
  });
});

/** The item of a sale with these fields. */
const stored = async (id: string, fields: object) => {
  const brand = await world.brand();
  await signedUp(brand, 'optional');
  await sold(brand, { transaction_id: id, customer_key: 'optional', ...fields });
  return (await world.items(`SALE#${id}`)).at(-1);
};

describe('the optional fields of a sale', () => {
  it('are stored with the sale', async () => {
    expect(
      await stored('optional_1', {
        currency: ' eur ',
        sale_type: 'subscription',
        is_recurring: true,
        subscription_id: 'sub_1',
        subscription_interval: 'quarterly',
        product_id: 'p'.repeat(300),
        event_name: 'upgrade',
        line_items: [{ sku: 'a', nested: { deep: [null, 1.5, 'ü'] } }],
        provider: 'paddle',
        provider_payment_id: 'p'.repeat(255),
        livemode: false,
        unknown_field: 'ignored',
      }),
    ).toMatchObject({
      currency: 'EUR',
      saleType: 'subscription',
      // The sent renewal fields do not affect a first payment.
      isRecurring: false,
      subscriptionId: 'sub_1',
      subscriptionInterval: 'quarterly',
      productId: 'p'.repeat(255),
      eventName: 'upgrade',
      lineItems: '[{"sku":"a","nested":{"deep":[null,1.5,"ü"]}}]',
      provider: 'paddle',
      providerPaymentId: 'p'.repeat(255),
      livemode: false,
    });
  });

  const unusable = {
    null: null,
    'of other types': 7,
    'unknown words': 'weekly',
  };
  it.each(Object.entries(unusable))('get their default value if the request sends %s', async (name, value) => {
    const sale = await stored(`unusable_${name}`, {
      sale_type: value,
      is_recurring: value,
      subscription_interval: value,
      ...(typeof value !== 'string' && { subscription_id: value, product_id: value, event_name: value }),
    });
    expect(sale).toMatchObject({ saleType: 'payment', isRecurring: false });
    for (const field of ['subscriptionInterval', 'subscriptionId', 'productId', 'eventName']) {
      expect(sale).not.toHaveProperty(field);
    }
  });

  const largest = 'x'.repeat(16 * 1024 - 2);
  it.each([
    ['of 16 KiB are stored', largest, JSON.stringify(largest)],
    ['above 16 KiB are dropped', `${largest}x`, undefined],
    ['of 16 KiB in characters but more in bytes are dropped', 'ü'.repeat(10_000), undefined],
    ['with the value null are dropped', null, undefined],
    ['with a number as value are stored', 0, '0'],
  ])('such as line_items %s', async (name, lineItems, kept) => {
    expect((await stored(`items ${name}`, { line_items: lineItems }))?.lineItems).toBe(kept);
  });

  it('such as line_items are not stored if they are nested too deeply', async () => {
    const brand = await world.brand();
    await signedUp(brand, 'deep');
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const reply = await send(handler, {
      key: brand.key,
      body: `{"transaction_id":"deep","amount_cents":1,"customer_key":"deep","line_items":${deep}}`,
    });
    expect(reply.status).toBe(200);
    expect((await world.items('SALE#deep')).at(-1)).not.toHaveProperty('lineItems');
  });

  it('are stored with U+FFFD in place of invalid Unicode', async () => {
    const brand = await world.brand();
    await signedUp(brand, 'surrogate');
    const reply = await send(handler, {
      key: brand.key,
      body: `{"transaction_id":"surrogate","amount_cents":1,"customer_key":"surrogate",
        "provider_payment_id":"pay\\ud800","product_id":"p\\udfff","line_items":"\\ud800"}`,
    });
    expect(reply.status).toBe(200);
    expect((await world.items('SALE#surrogate')).at(-1)).toMatchObject({
      providerPaymentId: 'pay\ufffd',
      productId: 'p\ufffd',
      lineItems: String.raw`"\ud800"`,
    });
  });
});
