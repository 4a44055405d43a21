import { decimalsOf } from '#lib/apps/web/decimals.ts';
import { LOCALE } from '#lib/apps/web/locale.ts';
import { saleCommissionText } from '#lib/service/programs/terms/offer-text.ts';
import type { CommissionType } from '#lib/wire/words/fields.ts';
import type { Program } from '#lib/wire/programs/program.ts';

const moneyFormats = new Map<string, Intl.NumberFormat>();

/** Returns a formatter for amounts. Formatters are cached, because creating one takes far longer than using it. */
function moneyFormat(
  currency: string,
  minimumFractionDigits: number,
  maximumFractionDigits: number,
): Intl.NumberFormat {
  const name = `${currency} ${minimumFractionDigits} ${maximumFractionDigits}`;
  const digits = { minimumFractionDigits, maximumFractionDigits };
  const format = moneyFormats.get(name) ?? new Intl.NumberFormat(LOCALE, { style: 'currency', currency, ...digits });
  moneyFormats.set(name, format);
  return format;
}

/** Formats an amount for people: `$49.00`. */
export function moneyText(cents: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return moneyFormat(currency, decimals, decimals).format(unitsOf(cents, currency));
}

/** Formats an amount for files, without currency: `49.00`. */
export function decimalText(cents: number, currency: string): string {
  const decimals = decimalsOf(currency);
  if (decimals === 0) return String(cents);
  const digits = String(Math.abs(cents)).padStart(decimals + 1, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Formats an amount as the forms of banks accept it: `49.00 USD`. */
export const plainMoneyText = (cents: number, currency: string): string =>
  `${decimalText(cents, currency)} ${currency}`;

const lists = new Intl.ListFormat('en');

/** Formats amounts in several currencies as part of a sentence: `€56.00 and $1,234.00`. */
export const moneysText = (amounts: Readonly<Record<string, number>>): string =>
  lists.format(
    Object.keys(amounts)
      .toSorted()
      .map((currency) => moneyText(amounts[currency]!, currency)),
  );

/** Returns a function that formats currency units briefly, for the axis of a chart: `$1.2K`. */
export function shortMoneyFormat(currency: string): (units: number) => string {
  const format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency, notation: 'compact' });
  return (units) => format.format(units);
}

/** Converts cents to currency units, for charts. */
export const unitsOf = (cents: number, currency: string): number => cents / 10 ** decimalsOf(currency);

const counts = new Intl.NumberFormat(LOCALE);
export const countText = (count: number): string => counts.format(count);

/** Formats a count with its noun: `1 sale`, `2 sales`. */
export const countOf = (count: number, one: string): string => `${countText(count)} ${one}${count === 1 ? '' : 's'}`;

/**
 * Formats a number of days. If it is negative, because the payment was dated before its click, it is shown as less than
 * a day.
 */
export const daysText = (days: number): string => (days < 1 ? 'less than a day' : countOf(days, 'day'));

const utcDates = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });

const utcMonths = new Intl.DateTimeFormat(LOCALE, { month: 'short', year: 'numeric', timeZone: 'UTC' });
const utcDaysOfYear = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Formats a time as `Nov 20, 2026, 3:00 PM`. @param timeZone default: the browser's */
export const minuteText = (iso: string, timeZone?: string): string =>
  new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(iso));

/** Formats a time as `Nov 20, 2026, 3:00:59 PM`. @param timeZone default: the browser's */
export const timeText = (iso: string, timeZone?: string): string =>
  new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(new Date(iso));

/** Formats a time with its zone and in UTC: `Nov 20, 2026, 4:00:59 PM GMT+1 (Nov 20, 2026, 3:00:59 PM UTC)`. */
export function exactTimeText(iso: string, timeZone?: string): string {
  const zones = new Intl.DateTimeFormat(LOCALE, { timeZoneName: 'short', timeZone });
  const zone = zones.formatToParts(new Date(iso)).find(({ type }) => type === 'timeZoneName')?.value;
  const utc = `${timeText(iso, 'UTC')} UTC`;
  return zone === 'UTC' ? utc : `${timeText(iso, timeZone)} ${zone} (${utc})`;
}

/** Formats the day of a time in the local time zone: `Nov 20, 2026`. */
export const localDateText = (iso: string, timeZone?: string): string =>
  new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone }).format(new Date(iso));

/** Formats the day of a time in the local time zone, without the year: `Nov 20`. */
export const shortLocalDateText = (iso: string, timeZone?: string): string =>
  new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone }).format(new Date(iso));

/** Formats a UTC day of a report: `Nov 20, 2026`. */
export const dateText = (day: string): string => utcDates.format(new Date(day));

/** Formats a UTC day without its year, for the axis of a chart: `Nov 20`. */
export const shortDateText = (day: string): string => utcDaysOfYear.format(new Date(day));

/** Formats a UTC month: `Nov 2026`. @param month `YYYY-MM` */
export const monthText = (month: string): string => utcMonths.format(new Date(month));

const shares = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});

const parts = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });

/** Formats a share of a whole: `5.2%`. @param part from 0 to 1 */
export const rateText = (part: number): string => parts.format(part);

const decimals = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });

/** Formats a number with at most one decimal: `2.5`. */
export const roundedText = (value: number): string => decimals.format(value);

/** Formats a change relative to the former value: `+25%`. @param before the former value, not 0 */
export const changeText = (now: number, before: number): string => shares.format((now - before) / Math.abs(before));

/**
 * Returns the first letters of the first and the last word: `AL` for Ana Maria Lopes. Of an e-mail address, the domain
 * is ignored.
 */
export function initialsOf(name: string): string {
  const words = name.replace(/@.*/, '').match(/\p{L}[\p{L}\p{M}]*|\p{N}+/gu) ?? [];
  const letters = words.map(([letter = '']) => letter);
  return [...letters.slice(0, 1), ...letters.slice(1).slice(-1)].join('').toUpperCase();
}

export const commissionTypes: readonly (readonly [CommissionType, string])[] = [
  ['recurring_percent', 'Percent of each sale, with renewals'],
  ['recurring_fixed', 'Fixed amount per sale, with renewals'],
  ['percent', 'Percent of each sale, renewals excluded'],
  ['fixed', 'Fixed amount per sale, renewals excluded'],
];

/** The number of decimals with which rates are stored. */
const RATE_DECIMALS = 4;
const rates = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: RATE_DECIMALS });

/** Formats a rate: `12.5%`. @param percent in percent, such as 12.5 */
export const percentText = (percent: number): string => rates.format(percent / 100);

/** How texts about terms write numbers and amounts. */
export const notationOf = (currency: string) => ({ language: LOCALE, currency, decimals: decimalsOf(currency) });

/** Describes terms in words: `20% of each sale, renewals for 12 months`, `€50 per sale, renewals excluded`. */
export const commissionText = ({
  commission_type: commissionType,
  commission_rate: commissionRate,
  duration_months: durationMonths,
  currency,
}: Pick<Program, 'commission_type' | 'commission_rate' | 'duration_months' | 'currency'>): string =>
  saleCommissionText({ commissionType, commissionRate, durationMonths }, notationOf(currency));

/** The text with a capital letter at its beginning. */
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
