import { DAY_MS } from '#lib/service/ground/values/day.ts';
import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';

/** The result of checking the attribution window for one payment. It is stored with the sale, to explain it later. */
export interface WindowCheck {
  readonly comparedWith: 'signup' | 'payment';
  readonly comparedAt: string;
  readonly ageMs: number;
  readonly windowDays: number;
  readonly within: boolean;
}

/** By how much our clock may differ from those of brands and of the payment processor. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/** Whether the window is checked: not for customers who have paid before or whom a coupon code attributed. */
const isChecked = ({ status, code }: AttributedCustomer): boolean => status !== 'conversion' && code === undefined;

/** Whether the customer's first click was after the given time, allowing for clock differences. */
export const isClickAfter = (customer: Clicked, at: Date): boolean =>
  -ageOf(customer, at.toISOString()) > CLOCKS_DIFFER_MS;

/** Whether the first click was after the payment. Then the click cannot have caused the payment. */
export const isClickTooLate = (customer: AttributedCustomer, paidAt: Date): boolean =>
  isChecked(customer) && isClickAfter(customer, paidAt);

/**
 * Checks that the signup came within the attribution window after the first click. If no signup is confirmed, the
 * payment must have come within it.
 * @returns undefined if nothing is checked: the customer has paid before or was attributed by a coupon code
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
