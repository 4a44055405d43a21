import { decimalsOf } from '#lib/apps/web/decimals.ts';
import { unitsOf } from '#lib/apps/web/format.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import type { Program } from '#lib/wire/programs/program.ts';
import type { OwnerField } from '#lib/wire/programs/settings/program-settings-request.ts';
import type { Terms } from '#lib/wire/programs/terms.ts';

/** Fields of a program as they are sent. The service validates them. */
type ProgramFields = { readonly [Field in keyof Program]?: unknown };

/** Fields that a member may send. If a request contains any other field, the service refuses all of it. */
type MembersFields = Omit<ProgramFields, OwnerField>;

export const namesIn = (entered: Entered): MembersFields => ({ name: entered.name, domain: entered.domain });

export const originsIn = (entered: Entered): MembersFields => ({
  allowed_origins: listedOrigins(entered.allowed_origins),
});

export const commissionIn = (entered: Entered): ProgramFields => ({
  commission_type: entered.commission_type,
  commission_rate: numberIn(entered.commission_rate),
  currency: entered.currency,
  // Only the form for a percentage has this field.
  ...(entered.commission_base !== undefined && { commission_base: entered.commission_base }),
  // An empty field means 0: renewals earn commission without limit.
  ...(entered.duration_months !== undefined && { duration_months: numberIn(entered.duration_months || '0') }),
});

/** Converts the terms of a group or partner. Months are sent only if renewals pay. @param currency the program's */
export const termsIn = (entered: Entered, currency: string) => ({
  commission_type: entered.commission_type,
  commission_rate: numberIn(entered.commission_rate),
  duration_months: numberIn(entered.duration_months || '0'),
  ...holdIn(entered),
  ...extraTermsIn(entered, currency),
});

export const holdIn = (entered: Entered) => ({ hold_period_days: numberIn(entered.hold_period_days) });

/** Converts the fields that only some terms have: the commission for leads, and tiers. */
export const extraTermsIn = (entered: Entered, currency: string) => ({
  lead_commission_cents: centsIn(entered.lead_commission_cents, currency),
  tiers: tiersIn(entered.tiers),
});

/** Converts terms that are being entered, for a preview; undefined while a field is not a number. */
export function previewedTerms(entered: Entered, currency: string): Terms | undefined {
  const terms = termsIn(entered, currency);
  const { commission_rate: rate, duration_months: months, tiers } = terms;
  const numbers = [rate, months, terms.hold_period_days, terms.lead_commission_cents, ...tiers.flatMap(Object.values)];
  if (numbers.some((number) => typeof number !== 'number') || rate === 0) return undefined;
  return { ...terms, duration_months: months || null } as Terms;
}

/**
 * Converts tiers, which are entered one per line. A line that is not two numbers is sent as it is, and then rejected.
 */
const tiersIn = (text = '') =>
  linesIn(text).map((line) => {
    const [from, rate, ...more] = line.split(/[\s:%]+/).filter((part) => part !== '');
    return { from_sales: numberIn(from), rate: more.length > 0 || rate === undefined ? line : numberIn(rate) };
  });

/** Converts an amount in currency units to cents; undefined if it is empty. */
export function centsIn(text = '', currency: string): number | string {
  const units = numberIn(text);
  if (typeof units === 'string') return units;
  const cents = units * 10 ** decimalsOf(currency);
  // An amount with too many decimals is sent as it is, for the service to reject. Tiny differences are rounding errors.
  return Math.abs(cents - Math.round(cents)) < 1e-6 ? Math.round(cents) : cents;
}

/** Converts cents to a text for an input; empty for zero. */
export const centsEntry = (cents = 0, currency: string): string =>
  cents === 0 ? '' : String(unitsOf(cents, currency));

/** The entered settings of attribution. */
export const attributionIn = (entered: Entered): ProgramFields => ({
  attribution_window_days: numberIn(entered.attribution_window_days),
  lead_auth: entered.lead_auth,
  code_precedence: entered.code_precedence,
});

/** The entered settings of approvals and payouts. @param currency the program's */
export const payoutsIn = (entered: Entered, currency: string): ProgramFields => ({
  auto_approve: entered.auto_approve === 'on',
  // An empty field means no limit.
  member_approval_cents: entered.member_approval_cents ? centsIn(entered.member_approval_cents, currency) : null,
  minimum_payout_cents: centsIn(entered.minimum_payout_cents, currency),
  payout_days: daysIn(entered.payout_days),
  statement_note: entered.statement_note,
});

/** Converts a list of days of the month. */
const daysIn = (text = '') =>
  text
    .split(/[\s,;]+/)
    .filter((day) => day !== '')
    .map(numberIn);

/** The entered origins. An address copied from the browser ends with a slash, which is not part of an origin. */
const listedOrigins = (text = ''): string[] =>
  text
    .split(/\s+/)
    .filter((origin) => origin !== '')
    .map((origin) => origin.replace(/\/$/, ''));

/** Converts the values of traffic rules. */
export const trafficIn = (entered: Entered): ProgramFields => ({
  banned_referrers: linesIn(entered.banned_referrers),
  paid_ad_allowed_campaigns: linesIn(entered.paid_ad_allowed_campaigns),
  velocity_clicks: numberIn(entered.velocity_clicks),
  shared_click_payers: numberIn(entered.shared_click_payers),
});

/** Splits a text into lines. A line is not split at spaces, because the name of a campaign may contain some. */
export const linesIn = (text = ''): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/**
 * Converts a number. An invalid one is sent as it is, for the service to reject: as NaN, it would become null in JSON,
 * and would mean "do not change".
 */
function numberIn(text = ''): number | string {
  const number = Number(text.replace(',', '.'));
  return Number.isNaN(number) ? text : number;
}
