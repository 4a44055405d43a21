import { dateText } from '#lib/apps/web/format.ts';
import type { Option } from '#lib/apps/web/parts/forms/option.ts';

/** A period from one UTC day to another, `YYYY-MM-DD`, both inclusive. A day that is undefined sets no limit. */
export interface Period {
  readonly from?: string;
  readonly to?: string;
}

/** A period as the page's address contains it. */
export interface ChosenPeriod {
  readonly period: string;
  /** First day of the period, if the person entered its days. */
  readonly from: string;
  readonly to: string;
}

/** The value for a period whose days the person entered. */
export const CUSTOM = 'custom';
/** The value for a period without limits. */
export const ALL_TIME = 'all';
export const allTime: Option = [ALL_TIME, 'All time'];

export const periods: readonly Option[] = [
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['90d', 'Last 90 days'],
  ['365d', 'Last 365 days'],
  ['this-month', 'This month'],
  ['last-month', 'Last month'],
  [CUSTOM, 'Custom…'],
];

const DAY_MS = 86_400_000;

/** The days of a period. @param today the service's present UTC day */
export function periodOf({ period, from, to }: ChosenPeriod, today: string): Period {
  const days = /^(\d{1,3})d$/.exec(period)?.[1];
  if (days) return { from: dayAfter(today, 1 - Number(days)), to: today };
  const thisMonth = `${today.slice(0, 7)}-01`;
  if (period === 'this-month') return { from: thisMonth, to: today };
  if (period === 'last-month') {
    const last = dayAfter(thisMonth, -1);
    return { from: `${last.slice(0, 7)}-01`, to: last };
  }
  return period === CUSTOM ? { from: from || undefined, to: to || undefined } : {};
}

/** Describes a period in words, such as `last 30 days`. */
export function periodText({ period, from, to }: ChosenPeriod): string {
  const days = [from && `from ${dateText(from)}`, to && `to ${dateText(to)}`].filter(Boolean).join(' ');
  const named = periods.find(([name]) => name === period)?.[1].toLowerCase();
  return period === CUSTOM || named === undefined ? days : named;
}

/** Returns the period of the same length that ends on the day before the given one begins. */
export function periodBefore({ from, to }: Required<Period>): Required<Period> {
  const length = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return { from: dayAfter(from, -length), to: dayAfter(from, -1) };
}

/** Returns the UTC day that is this many days after another. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
