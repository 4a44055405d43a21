import { DAY_MS } from '#lib/service/ground/values/day.ts';
import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';

/** The result of the attribution window check for one payment, stored with the sale as its explanation. */
export interface WindowCheck {
  readonly comparedWith: 'signup' | 'payment';
  readonly comparedAt: string;
  readonly ageMs: number;
  readonly windowDays: number;
  readonly within: boolean;
}

/** Tolerated difference between our clock and those of brands and the payment processor. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/** The window is not checked for customers who have paid before and for customers attributed by a coupon code. */
const isChecked = ({ status, code }: AttributedCustomer): boolean => status !== 'conversion' && code === undefined;

/** Whether the customer's first click was after the given time, allowing for clock differences. */
export const isClickAfter = (customer: Clicked, at: Date): boolean =>
  -ageOf(customer, at.toISOString()) > CLOCKS_DIFFER_MS;

/** Whether the first click was after the payment. Then the click cannot have caused the payment. */
export const isClickTooLate = (customer: AttributedCustomer, paidAt: Date): boolean =>
  isChecked(customer) && isClickAfter(customer, paidAt);

/**
 * Checks that the first click is within the attribution window before the signup, or before the payment if no signup is
 * settled.
 * @returns undefined if there is no check: the customer has paid before or was attributed by a coupon code
 */
export function checkWindow(customer: AttributedCustomer, paidAt: Date, windowDays: number): WindowCheck | undefined {
  if (!isChecked(customer)) return undefined;
  const comparedAt = customer.signupAt ?? paidAt.toISOString();
  const ageMs = ageOf(customer, comparedAt);
  return {
    comparedWith: customer.signupAt ? 'signup' : 'payment',
    comparedAt,
    ageMs,
    windowDays,
    within: isWithin(ageMs, windowDays),
  };
}

/** Whether the signup is within the attribution window after the first click. */
export const isSignupWithin = (customer: Clicked, signupAt: string, windowDays: number): boolean =>
  isWithin(ageOf(customer, signupAt), windowDays);

type Clicked = Pick<AttributedCustomer, 'firstClickAt'>;

const ageOf = ({ firstClickAt }: Clicked, at: string): number => Date.parse(at) - Date.parse(firstClickAt);

const isWithin = (ageMs: number, windowDays: number): boolean => ageMs <= windowDays * DAY_MS;

export const wholeDays = (ms: number): number => Math.floor(ms / DAY_MS);
