import { describe, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { handler } from '#functions/track/sale.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { changeProgram, signedUp, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { listingOf } from '#test/support/table/sale-items.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Tests of the amount, due date and platform fee of a commission.

const world = openedWorld();

let sales = 0;
const newId = () => `sale_${++sales}`;
const commissionOf = async (transactionId: string) => (await world.items(`SALE#${transactionId}`))[0];

describe('the amount of a commission', () => {
  it.each([
    // Type, rate, amount, currency → commission, its currency, fee.
    ['percent', 20, 4900, 'USD', 980, 'USD', 172],
    ['percent', 20, 4900, 'EUR', 980, 'EUR', 172],
    ['percent', 20, 4900, 'VND', 980, 'VND', 172],
    ['recurring_percent', 33.3333, 10_000, 'EUR', 3333, 'EUR', 350],
    ['percent', 12.5, 999, 'USD', 125, 'USD', 35],
    ['percent', 12.5, 995, 'USD', 124, 'USD', 35],
    ['percent', 50, 1, 'USD', 1, 'USD', 0],
    ['percent', 49.9999, 1, 'USD', 0, 'USD', 0],
    ['percent', 1.005, 1000, 'USD', 10, 'USD', 35],
    ['percent', 1.15, 1000, 'USD', 12, 'USD', 35],
    ['percent', 0.0001, 500_000, 'USD', 1, 'USD', 17_500],
    ['percent', 0.0001, 499_999, 'USD', 0, 'USD', 17_500],
    ['percent', 150, 100, 'USD', 150, 'USD', 4],
    ['percent', 100, 1_000_000_000_000, 'USD', 1_000_000_000_000, 'USD', 35_000_000_000],
    ['percent', 100.0001, 1_000_000_000_000, 'EUR', 1_000_000_000_000, 'EUR', 35_000_000_000],
    ['fixed', 1_000_000_000, 4900, 'USD', 100_000_000_000, 'USD', 172],
    ['fixed', 50, 4900, 'USD', 5000, 'USD', 172],
    ['fixed', 50, 1, 'EUR', 5000, 'USD', 0],
    ['recurring_fixed', 0.005, 4900, 'VND', 1, 'USD', 172],
    ['fixed', 0.0049, 4900, 'USD', 0, 'USD', 172],
    ['fixed', 10.075, 4900, 'USD', 1008, 'USD', 172],
  ] as const)(
    'with terms of %s %d on a sale of %d %s is %d %s, with a platform fee of %d',
    async (commissionType, commissionRate, amountCents, currency, commissionCents, paidIn, feeCents) => {
      const brand = await world.brand({ commissionType, commissionRate });
      const id = newId();
      await signedUp(brand, 'u1');
      await sold(brand, { transaction_id: id, customer_key: 'u1', amount_cents: amountCents, currency });
      expect(await commissionOf(id)).toMatchObject({
        commissionType,
        commissionRate,
        baseAmountCents: amountCents,
        amountCents: commissionCents,
        currency: paidIn,
        platformFee: { amountCents: feeCents, reducedCents: 0, bps: 350, currency },
      });
    },
  );

  it('is fixed when the sale is recorded: a later change of the program’s terms affects only later sales', async () => {
    const brand = await world.brand();
    const ids = [newId(), newId()] as const;
    await signedUp(brand, 'u1');
    await sold(brand, { transaction_id: ids[0], customer_key: 'u1' });
    const before = await commissionOf(ids[0]);
    await changeProgram(world, brand, { commissionType: 'fixed', commissionRate: 7, holdPeriodDays: 0 });
    await sold(brand, { transaction_id: ids[1], customer_key: 'u1' });
    expect(await commissionOf(ids[0])).toEqual(before);
    expect(await commissionOf(ids[1])).toMatchObject({
      commissionType: 'fixed',
      amountCents: 700,
      holdUntil: '2026-11-20T15:00:00.000Z',
    });
  });
});

describe('the commission of a sale', () => {
  const JOINED_AT = new Date('2027-01-31T10:00:00.000Z');

  /** Makes a sale after the customer's first purchase at JOINED_AT. @returns its renewal data */
  async function laterSale(brand: Brand, body: object, at: Date) {
    await signedUp(brand, 'u1', { at: JOINED_AT });
    await sold(brand, { transaction_id: newId(), customer_key: 'u1' }, { at: JOINED_AT });
    const id = newId();
    const request = { transaction_id: id, amount_cents: 4900, customer_key: 'u1', ...body };
    return { id, reply: await send(handler, { key: brand.key, body: request, at }) };
  }

  it('is not due for a renewal under percent terms, and neither is the platform fee', async () => {
    const brand = await world.brand();
    const at = new Date('2027-02-28T10:00:00.000Z');
    const { id, reply } = await laterSale(brand, { is_recurring: true }, at);
    expect(reply).toEqual({
      status: 200,
      headers: countedHeaders(120, 1, at),
      body: {
        success: true,
        sale_id: reply.body.sale_id,
        commission_id: null,
        attributed: true,
        is_recurring: true,
        reason: 'commission_not_due',
        message: 'Sale tracked; no commission is due for this payment',
      },
    });
    const items = await world.items(`SALE#${id}`);
    expect(items).toMatchObject([{ sk: 'SALE', id: reply.body.sale_id, commissionState: 'notDue' }]);
    expect(items[0]).not.toHaveProperty('commissionId');
  });

  it.each([
    ['percent', false, true],
    ['percent', true, false],
    ['fixed', false, true],
    ['fixed', true, false],
    ['recurring_percent', false, true],
    ['recurring_percent', true, true],
    ['recurring_fixed', false, true],
    ['recurring_fixed', true, true],
  ] as const)(
    'under %s terms with is_recurring %s is due for the first payment; and for the second payment: %s',
    async (type, isRecurring, isDue) => {
      const brand = await world.brand({ commissionType: type, durationMonths: undefined });
      await signedUp(brand, 'u1');
      for (const isDueNow of [true, isDue]) {
        const id = newId();
        const body = { transaction_id: id, customer_key: 'u1', is_recurring: isRecurring };
        const { commission_id: commissionId } = await sold(brand, body);
        expect(commissionId !== null).toBe(isDueNow);
        expect(await world.items(`SALE#${id}`)).toHaveLength(isDueNow ? 2 : 1);
      }
    },
  );

  it('is due for a first payment, even if it is sent as a renewal, and the customer becomes a paying one', async () => {
    const brand = await world.brand();
    const clickId = await signedUp(brand, 'renewing');
    await sold(brand, { transaction_id: newId(), customer_key: 'renewing', is_recurring: true });
    const conversion = { status: 'conversion', firstPurchaseAt: '2026-11-20T15:00:00.000Z' };
    expect((await world.items(`CUSTOMER#${clickId}`))[0]).toMatchObject(conversion);
    expect(await world.items('KEY#renewing')).toMatchObject([conversion]);
  });

  it.each([
    // Months after the first purchase of 2027-01-31T10:00Z, and the first time without a commission.
    [1, '2027-02-28T10:00:00.000Z'],
    [2, '2027-03-31T10:00:00.000Z'],
    [3, '2027-04-30T10:00:00.000Z'],
    [12, '2028-01-31T10:00:00.000Z'],
    [13, '2028-02-29T10:00:00.000Z'],
  ])('is due for recurring payments during %i months, until just before %s', async (durationMonths, end) => {
    const justBefore = new Date(Date.parse(end) - 1);
    for (const commissionType of ['recurring_percent', 'recurring_fixed'] as const) {
      const settings = { commissionType, durationMonths };
      const paid = await laterSale(await world.brand(settings), { is_recurring: true }, justBefore);
      expect(paid.reply.body.commission_id).toBeTypeOf('number');
      const unpaid = await laterSale(await world.brand(settings), { is_recurring: true }, new Date(end));
      expect(unpaid.reply.body).toMatchObject({ commission_id: null, reason: 'commission_not_due' });
    }
  });

  it.each([0, undefined])(
    'is due for recurring payments without an end if duration_months is %s',
    async (durationMonths) => {
      const brand = await world.brand({ commissionType: 'recurring_percent', durationMonths });
      const { reply } = await laterSale(brand, { is_recurring: true }, new Date('2077-01-01T00:00:00.000Z'));
      expect(reply.body.commission_id).toBeTypeOf('number');
    },
  );

  it('is due if the payment was made within duration_months, even if it is reported later', async () => {
    const settings = { commissionType: 'recurring_fixed', durationMonths: 1 } as const;
    const at = new Date('2027-03-05T00:00:00.000Z');
    const inTime = { occurred_at: '2027-02-28T09:59:59.999Z' };
    expect((await laterSale(await world.brand(settings), inTime, at)).reply.body.commission_id).toBeTypeOf('number');
    expect((await laterSale(await world.brand(settings), {}, at)).reply.body.commission_id).toBeNull();
  });

  it('is due for a payment that is reported after the customer’s first payment but was made before it', async () => {
    const brand = await world.brand({ commissionType: 'recurring_percent', durationMonths: 1 });
    const earlier = { occurred_at: '2027-01-30T00:00:00.000Z' };
    expect((await laterSale(brand, earlier, JOINED_AT)).reply.body.commission_id).toBeTypeOf('number');
  });
});

describe('a sale that fails with 500 “Failed to create commission”', () => {
  it.each([
    ['a commission rate of 0', { commissionRate: 0 }],
    ['a commission rate that is stored as 0', { commissionRate: 0.00001 }],
    ['a commission rate below 0', { commissionRate: -1 }],
    ['an unknown commission type', { commissionType: 'points' }],
  ])('is stored without its commission if the program has %s', async (_, broken) => {
    const brand = await world.brand();
    const transactionId = newId();
    const customerKey = `failed_${transactionId}`;
    const clickId = await signedUp(brand, customerKey);
    await changeProgram(world, brand, broken);
    const before = [await world.items(`CUSTOMER#${clickId}`), await world.items(`KEY#${customerKey}`)];
    const body = { transaction_id: transactionId, amount_cents: 4900, customer_key: customerKey };

    const reply = await send(handler, { key: brand.key, body });
    expect(reply).toEqual({
      status: 500,
      headers: countedHeaders(120),
      body: codedError(500, 'internal_error', 'Failed to create commission'),
    });
    const stored = await world.items(`SALE#${transactionId}`);
    expect(stored).toMatchObject([
      {
        sk: 'SALE',
        commissionState: 'failed',
        terms: {
          commissionType: 'percent',
          commissionRate: 20,
          currency: 'USD',
          ...broken,
          holdPeriodDays: 15,
          platformFeeBps: 350,
        },
        attribution: { clickId, customerKey, partnerId: brand.partner.id },
      },
    ]);
    // Only the mark that the customer has paid changes, because a later payment may be a renewal.
    const [customer, key] = before.map((items) =>
      items.map((item) => (item.sk === 'LEAD' ? item : { ...item, hasPaidFor: 'payment' })),
    );
    expect([await world.items(`CUSTOMER#${clickId}`), await world.items(`KEY#${customerKey}`)]).toEqual([
      [...customer!, listingOf(clickId, NOW, transactionId)],
      key,
    ]);

    const again = await send(handler, { key: brand.key, body });
    expect(again.status).toBe(409);
    expect(again.body.error.details).toEqual({ sale_id: stored[0]?.id, own: true });
    expect(await world.items(`SALE#${transactionId}`)).toEqual(stored);

    const refunded = await send(refund, { key: brand.key, body: { transaction_id: transactionId } });
    expect(refunded.body).toMatchObject({ status: 'no_commission', sale_id: stored[0]?.id });
  });
});

it('a renewal that earns no commission is recorded even if the program’s commission rate is an invalid 0', async () => {
  const brand = await world.brand();
  await soldTo(brand, 'u1', { transaction_id: newId() });
  await changeProgram(world, brand, { commissionRate: 0 });
  const body = { transaction_id: newId(), customer_key: 'u1', is_recurring: true };
  expect(await sold(brand, body)).toMatchObject({ reason: 'commission_not_due' });
});
