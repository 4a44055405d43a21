import { describe, expect, it } from 'vitest';
import { handler } from '#functions/track/sale.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { browserLead, changeProgram, clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Tests of the attribution window of sales: at most `attribution_window_days` between click and sign-up, or payment.

const DAY_MS = 86_400_000;
const CLICKED_AT = new Date('2026-09-01T10:00:00.000Z');
const afterClick = (days: number, ms = 0) => new Date(CLICKED_AT.getTime() + days * DAY_MS + ms);

const world = openedWorld();

let sales = 0;
const sell = (brand: Brand, body: object, at: Date) =>
  send(handler, { key: brand.key, body: { transaction_id: `sale_${++sales}`, amount_cents: 4900, ...body }, at });

const expired = (ageDays: number, windowDays: number) => ({
  success: true,
  sale_id: null,
  commission_id: null,
  attributed: false,
  reason: 'attribution_window_expired',
  click_age_days: ageDays,
  window_days: windowDays,
  message: 'Sale not attributed: outside the attribution window',
});

describe('for a customer without a sign-up, the time of the payment is compared with the attribution window', () => {
  it('and is inside if the click is exactly as old as the window', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand, { at: CLICKED_AT });
    const reply = await sell(brand, { transaction_id: 'edge', click_id: clickId }, afterClick(60));
    expect(reply.body).toMatchObject({ attributed: true, message: 'Sale tracked successfully' });
    const [, sale] = await world.items('SALE#edge');
    expect(sale?.attribution).toMatchObject({
      window: {
        comparedWith: 'payment',
        comparedAt: afterClick(60).toISOString(),
        ageMs: 60 * DAY_MS,
        windowDays: 60,
        within: true,
      },
    });
  });

  it('and is outside one millisecond after its end: nothing is written, and the transaction id can be used again', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand, { at: CLICKED_AT });
    const before = await world.items(`CUSTOMER#${clickId}`);
    const body = { transaction_id: 'late', click_id: clickId, customer_key: 'late' };

    const reply = await sell(brand, body, afterClick(60, 1));
    expect(reply).toEqual({ status: 200, headers: countedHeaders(120, 1, afterClick(60, 1)), body: expired(60, 60) });
    expect(await world.items('SALE#late')).toEqual([]);
    expect(await world.items('KEY#late')).toEqual([]);
    expect(await world.items(`CUSTOMER#${clickId}`)).toEqual(before);

    // The payment was within the window, and only its report was late.
    const again = await sell(brand, { ...body, occurred_at: afterClick(60).toISOString() }, afterClick(60, 2));
    expect(again.body).toMatchObject({ attributed: true });
  });

  it('and the error message says how many whole days old the click is', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand, { at: CLICKED_AT });
    expect((await sell(brand, { click_id: clickId }, afterClick(76, -1))).body).toEqual(expired(75, 60));
    expect((await sell(brand, { click_id: clickId }, afterClick(76))).body).toEqual(expired(76, 60));
  });

  it('and is outside if the payment is more than five minutes before the click', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand, { at: CLICKED_AT });
    const soldBefore = (ms: number) =>
      sell(brand, { click_id: clickId, occurred_at: afterClick(0, -ms).toISOString() }, CLICKED_AT);
    expect((await soldBefore(300_001)).body).toEqual({
      success: true,
      sale_id: null,
      commission_id: null,
      attributed: false,
      reason: 'click_after_payment',
      message: 'Sale not attributed: the click came after the payment',
    });
    expect((await soldBefore(300_000)).body).toMatchObject({ attributed: true });
  });

  it('for each payment, until the customer’s first payment is recorded', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand, { at: CLICKED_AT });
    const at = afterClick(61);
    const late = { transaction_id: 'late_1', click_id: clickId };
    const within = { transaction_id: 'late_2', click_id: clickId, occurred_at: afterClick(59).toISOString() };
    expect((await sell(brand, late, at)).body.attributed).toBe(false);
    expect((await sell(brand, late, at)).body.attributed).toBe(false);
    expect((await sell(brand, within, at)).body.attributed).toBe(true);
    // After a conversion, the same late payment is not checked any more.
    expect((await sell(brand, late, at)).body.attributed).toBe(true);
    expect((await sell(brand, { click_id: clickId }, afterClick(1_000))).body.attributed).toBe(true);
  });
});

const signedUpAfter = async (brand: Brand, at: Date) => {
  const clickId = await clicked(brand, { at: CLICKED_AT });
  await settledLead(brand, { click_id: clickId }, { at });
  return clickId;
};

describe('for a customer with a settled lead, the time of the sign-up is compared with the attribution window', () => {
  it('and is inside at the very end of the window, however late the payment is', async () => {
    const brand = await world.brand();
    const clickId = await signedUpAfter(brand, afterClick(60));
    const reply = await sell(brand, { transaction_id: 'signup', click_id: clickId }, afterClick(500));
    expect(reply.body).toMatchObject({ attributed: true });
    const [, sale] = await world.items('SALE#signup');
    expect(sale?.attribution).toMatchObject({
      window: { comparedWith: 'signup', comparedAt: afterClick(60).toISOString(), ageMs: 60 * DAY_MS },
    });
  });

  it('and is outside one millisecond after its end, even if the payment was inside', async () => {
    const brand = await world.brand();
    const clickId = await signedUpAfter(brand, afterClick(60, 1));
    const body = { click_id: clickId, occurred_at: afterClick(59).toISOString() };
    expect((await sell(brand, body, afterClick(61))).body).toEqual(expired(60, 60));
  });

  it('and is inside even if the sale names only the customer key', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand, { at: CLICKED_AT });
    await settledLead(brand, { click_id: clickId, customer_key: 'u1' }, { at: afterClick(30) });
    expect((await sell(brand, { customer_key: 'u1' }, afterClick(90))).body).toMatchObject({ attributed: true });
  });
});

it('a provisional lead does not count as a sign-up when a sale is compared with the attribution window', async () => {
  const brand = await world.brand();
  const clickId = await clicked(brand, { at: CLICKED_AT });
  await browserLead({ click_id: clickId }, { at: afterClick(1) });
  expect((await sell(brand, { click_id: clickId }, afterClick(61))).body).toEqual(expired(61, 60));
});

describe('a sale is compared with the attribution window that the program has now,', () => {
  it.each([
    [1, 1, true],
    [1, 2, false],
    [365, 365, true],
    [365, 366, false],
  ])('of %i days: with a click %i days old, the sale is attributed: %s', async (windowDays, days, attributed) => {
    const brand = await world.brand({ attributionWindowDays: windowDays });
    const clickId = await clicked(brand, { at: CLICKED_AT });
    expect((await sell(brand, { click_id: clickId }, afterClick(days))).body.attributed).toBe(attributed);
  });

  it('even if the program has changed it since the click', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand, { at: CLICKED_AT });
    await changeProgram(world, brand, { attributionWindowDays: 7 });
    expect((await sell(brand, { click_id: clickId }, afterClick(8))).body).toEqual(expired(8, 7));
    await changeProgram(world, brand, { attributionWindowDays: 8 });
    expect(await sold(brand, { transaction_id: 'wider', click_id: clickId }, { at: afterClick(8) })).toMatchObject({
      attributed: true,
    });
  });
});
