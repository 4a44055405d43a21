import type { AttributedCustomer } from '#lib/domain/customer.ts';

export const DAY_MS = 86_400_000;
/** Default of a program. */
export const DEFAULT_WINDOW_DAYS = 60;

/** How the window was checked for one payment; kept with the sale as its explanation. */
export interface WindowCheck {
  readonly comparedWith: 'signup' | 'payment';
  readonly comparedAt: string;
  readonly ageMs: number;
  readonly windowDays: number;
  readonly within: boolean;
}

/**
 * The first click must be at most the window older than the signup, or than the payment when no
 * signup is settled. Undefined once a conversion is recorded: later payments are not checked again.
 */
export function checkWindow(customer: AttributedCustomer, paidAt: Date, windowDays: number): WindowCheck | undefined {
  if (customer.status === 'conversion') return undefined;
  const comparedAt = customer.signupAt ?? paidAt.toISOString();
  const ageMs = Date.parse(comparedAt) - Date.parse(customer.firstClickAt);
  return {
    comparedWith: customer.signupAt ? 'signup' : 'payment',
    comparedAt,
    ageMs,
    windowDays,
    within: ageMs <= windowDays * DAY_MS,
  };
}

export const wholeDays = (ms: number): number => Math.floor(ms / DAY_MS);
