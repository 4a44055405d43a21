import { DAY_MS } from '#lib/domain/attribution-window.ts';

/** A UTC day, `YYYY-MM-DD`. Days compare as texts. */
export type Day = string;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

// Before the year 0 a date has a sign and six digits.
export const dayOf = (time: Date): Day => time.toISOString().split('T', 1)[0]!;

/** The beginning of a time's UTC hour, ISO 8601. */
export const hourOf = (time: Date): string => `${time.toISOString().split(':', 1)[0]}:00:00.000Z`;

/** Whether a text names a day that exists. */
export function isDay(text: string): boolean {
  const time = DAY.test(text) ? new Date(text) : new Date(Number.NaN);
  return !Number.isNaN(time.getTime()) && dayOf(time) === text;
}

/** The day so many days later; earlier for a negative number. */
export const dayLater = (day: Day, days: number): Day => dayOf(new Date(Date.parse(day) + days * DAY_MS));

/** Number of days in a range, both ends included; not positive when it ends before it begins. */
export const daysWithin = (from: Day, to: Day): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** The months of a period, `YYYY-MM`, both ends included. */
export function monthsWithin(from: Day, to: Day): string[] {
  const months: string[] = [];
  for (let month = new Date(`${from.slice(0, 7)}-01`); dayOf(month) <= to; month.setUTCMonth(month.getUTCMonth() + 1)) {
    months.push(dayOf(month).slice(0, 7));
  }
  return months;
}
