import { DAY_MS } from '#lib/service/ground/values/day.ts';
import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';

/** How the window was checked for one payment; kept with the sale as its explanation. */
export interface WindowCheck {
  readonly comparedWith: 'signup' | 'payment';
  readonly comparedAt: string;
  readonly ageMs: number;
  readonly windowDays: number;
  readonly within: boolean;
}

/** Clocks of a brand and of the processor may differ from ours by so much. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/** A customer who has paid before is not checked again, and one whom a code brought is not at all. */
const isChecked = ({ status, code }: AttributedCustomer): boolean => status !== 'conversion' && code === undefined;

/** Whether a customer clicked only after a moment, as far as clocks can tell. */
export const isClickAfter = (customer: Clicked, at: Date): boolean =>
  -ageOf(customer, at.toISOString()) > CLOCKS_DIFFER_MS;

/** Whether a customer clicked only after the payment, which the click then did not bring. */
export const isClickTooLate = (customer: AttributedCustomer, paidAt: Date): boolean =>
  isChecked(customer) && isClickAfter(customer, paidAt);

/**
 * The first click must be at most the window older than the signup, or than the payment when no
 * signup is settled. Undefined once a conversion is recorded: later payments are not checked again; and for a customer
 * whom a code brought.
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

/** Whether a signup is at most the window younger than the first click. */
export const isSignupWithin = (customer: Clicked, signupAt: string, windowDays: number): boolean =>
  isWithin(ageOf(customer, signupAt), windowDays);

type Clicked = Pick<AttributedCustomer, 'firstClickAt'>;

const ageOf = ({ firstClickAt }: Clicked, at: string): number => Date.parse(at) - Date.parse(firstClickAt);

const isWithin = (ageMs: number, windowDays: number): boolean => ageMs <= windowDays * DAY_MS;

export const wholeDays = (ms: number): number => Math.floor(ms / DAY_MS);
