import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkWindow, isClickTooLate, wholeDays } from '#lib/service/traffic/customers/attribution-window.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';

const FIRST_CLICK = new Date('2026-01-31T10:00:00.000Z');
const later = (ms: number) => new Date(FIRST_CLICK.getTime() + ms);

const clicked: AttributedCustomer = {
  clickId: 'clk_1',
  programId: 1,
  partnerId: 1,
  shortLink: 'ana',
  status: 'click',
  firstClickAt: FIRST_CLICK.toISOString(),
};
const signedUp = (at: Date): AttributedCustomer => ({
  ...clicked,
  status: 'lead',
  leadState: 'settled',
  signupAt: at.toISOString(),
});

describe('the check of the attribution window', () => {
  it.each([
    ['includes a payment in the last millisecond of the window', 60 * DAY_MS, true],
    ['excludes a payment one millisecond later', 60 * DAY_MS + 1, false],
    ['includes a payment at the time of the click', 0, true],
    ['includes a payment before the click', -DAY_MS, true],
  ])('%s', (_, ageMs, within) => {
    const paidAt = later(ageMs);
    expect(checkWindow(clicked, paidAt, 60)).toEqual({
      comparedWith: 'payment',
      comparedAt: paidAt.toISOString(),
      ageMs,
      windowDays: 60,
      within,
    });
  });

  it('compares the time of the sign-up if there is one, however late the payment is', () => {
    expect(checkWindow(signedUp(later(DAY_MS)), later(900 * DAY_MS), 1)).toEqual({
      comparedWith: 'signup',
      comparedAt: later(DAY_MS).toISOString(),
      ageMs: DAY_MS,
      windowDays: 1,
      within: true,
    });
  });

  it('refuses a late sign-up even if the payment was early', () => {
    expect(checkWindow(signedUp(later(DAY_MS + 1)), later(0), 1)?.within).toBe(false);
  });

  it('is skipped for a customer whose first sale is already recorded', () => {
    expect(checkWindow({ ...clicked, status: 'conversion' }, later(900 * DAY_MS), 1)).toBeUndefined();
  });

  it('compares the time of the payment as long as the lead is provisional', () => {
    expect(checkWindow({ ...clicked, leadState: 'provisional' }, later(2), 60)?.comparedWith).toBe('payment');
  });

  it('includes the last millisecond of every window, for sign-up and payment alike', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 365 }), fc.integer({ min: -5, max: 5 }), (windowDays, beyondMs) => {
        const at = later(windowDays * DAY_MS + beyondMs);
        expect(checkWindow(clicked, at, windowDays)?.within).toBe(beyondMs <= 0);
        expect(checkWindow(signedUp(at), FIRST_CLICK, windowDays)?.within).toBe(beyondMs <= 0);
      }),
    );
  });
});

it.each([
  [0, 0],
  [DAY_MS - 1, 0],
  [DAY_MS, 1],
  [76 * DAY_MS - 1, 75],
])('a time of %i ms is %i whole days', (ms, days) => {
  expect(wholeDays(ms)).toBe(days);
});

describe('a click is too late to have led to a payment', () => {
  const FIVE_MINUTES_MS = 5 * 60_000;

  it.each([
    ['5 minutes and a millisecond after the payment', -FIVE_MINUTES_MS - 1],
    ['a day after the payment', -DAY_MS],
  ])('if it was made %s (%s ms)', (_, ageMs) => {
    expect(isClickTooLate(clicked, later(ageMs))).toBe(true);
    // The result of a sign-up in the window does not depend on the payment.
    expect(isClickTooLate(signedUp(later(DAY_MS)), later(ageMs))).toBe(true);
  });

  it.each([
    ['at the time of the payment', 0],
    ['5 minutes after the payment', -FIVE_MINUTES_MS],
  ])('but not if it was made %s, because clocks differ (%s ms)', (_, ageMs) => {
    expect(isClickTooLate(clicked, later(ageMs))).toBe(false);
    // The result of a sign-up in the window does not depend on the payment.
    expect(isClickTooLate(signedUp(later(DAY_MS)), later(ageMs))).toBe(false);
  });

  it('but never if the customer has paid before or was attributed by a coupon code', () => {
    expect(isClickTooLate({ ...clicked, status: 'conversion' }, later(-DAY_MS))).toBe(false);
    expect(isClickTooLate({ ...clicked, code: 'SAVE10' }, later(-DAY_MS))).toBe(false);
  });
});
