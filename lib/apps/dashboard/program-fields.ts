import type { Entered } from '#lib/apps/dashboard/parts/form.tsx';
import type { Program } from '#lib/wire/program.ts';

/** Fields as sent; the service validates them. */
type ProgramFields = { readonly [Field in keyof Program]?: unknown };

/** The commission that was entered. */
export const commissionIn = (entered: Entered): ProgramFields => ({
  commission_type: entered.commission_type,
  commission_rate: numberIn(entered.commission_rate),
  // Empty is 0, which means the customer's lifetime.
  ...(entered.duration_months !== undefined && { duration_months: numberIn(entered.duration_months || '0') }),
});

/** The tracking and payout settings that were entered. */
export const policyIn = (entered: Entered): ProgramFields => ({
  attribution_window_days: numberIn(entered.attribution_window_days),
  lead_auth: entered.lead_auth,
  allowed_origins: originsIn(entered.allowed_origins),
  hold_period_days: numberIn(entered.hold_period_days),
  auto_approve: entered.auto_approve === 'on',
});

/** An address copied from the browser ends with a slash, which is no part of an origin. */
const originsIn = (text = ''): string[] =>
  text
    .split(/\s+/)
    .filter((origin) => origin !== '')
    .map((origin) => origin.replace(/\/$/, ''));

/**
 * An invalid number is sent as it is, to be refused: JSON spells NaN as null, which would mean "leave it as it was".
 */
function numberIn(text = ''): number | string {
  const number = Number(text.replace(',', '.'));
  return Number.isNaN(number) ? text : number;
}
