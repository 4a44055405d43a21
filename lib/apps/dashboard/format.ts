import type { CommissionType } from '#lib/wire/fields.ts';
import type { Program } from '#lib/wire/program.ts';

const LANGUAGE = 'en-US';

/** Currencies without a smaller unit: their "cents" are whole. */
const wholeCurrencies: ReadonlySet<string> = new Set(['VND']);

/** Cents as people read them: `$49.00`. */
export const moneyText = (cents: number, currency: string): string =>
  new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency }).format(unitsOf(cents, currency));

/** For charts, which draw numbers. */
export const unitsOf = (cents: number, currency: string): number =>
  wholeCurrencies.has(currency) ? cents : cents / 100;

const counts = new Intl.NumberFormat(LANGUAGE);
export const countText = (count: number): string => counts.format(count);

/** `1 sale`, `2 sales`. */
export const countOf = (count: number, one: string): string => `${countText(count)} ${one}${count === 1 ? '' : 's'}`;

/** How long something took. A payment can be dated before the click that led to it; that is less than a day, too. */
export const daysText = (days: number): string => (days < 1 ? 'less than a day' : countOf(days, 'day'));

const times = new Intl.DateTimeFormat(LANGUAGE, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
  hourCycle: 'h23',
});
const dates = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeZone: 'UTC' });

/** `Nov 20, 2026, 15:00 UTC`. */
export const timeText = (iso: string): string => `${times.format(new Date(iso))} UTC`;
/** `Nov 20, 2026`. */
export const dateText = (iso: string): string => dates.format(new Date(iso));

const shares = new Intl.NumberFormat(LANGUAGE, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});

/** How much more or less there is than before: `+25%`. @param before not 0 */
export const changeText = (now: number, before: number): string => shares.format((now - before) / Math.abs(before));

export const commissionTypes: readonly (readonly [CommissionType, string])[] = [
  ['recurring_percent', 'Percent of each sale, with renewals'],
  ['recurring_fixed', 'Fixed amount per sale, with renewals'],
  ['percent', 'Percent of each sale, renewals excluded'],
  ['fixed', 'Fixed amount per sale, renewals excluded'],
];

/** `20% of each sale, renewals for 12 months`. */
export function commissionText({
  commission_type: type,
  commission_rate: rate,
  duration_months: months,
}: Pick<Program, 'commission_type' | 'commission_rate' | 'duration_months'>): string {
  const amount = type.endsWith('percent') ? `${rate}%` : `$${rate}`;
  const each = type.endsWith('percent') ? `${amount} of each sale` : `${amount} per sale`;
  if (!type.startsWith('recurring_')) return `${each}, renewals excluded`;
  return `${each}, renewals ${months ? `for ${months} months` : 'included'}`;
}
