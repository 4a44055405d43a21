export const DAY_MS = 86_400_000;

/** A UTC day, `YYYY-MM-DD`. Days sort as texts. */
export type Day = string;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

// The UTC day of a time. `toISOString` gives years before 0 a sign and six digits.
export const dayOf = (time: Date): Day => time.toISOString().split('T', 1)[0]!;

/** The month of an ISO 8601 time, `YYYY-MM`. */
export const monthOf = (at: string): string => at.slice(0, 7);

/** The start of a time's UTC hour, ISO 8601. */
export const hourOf = (time: Date): string => `${time.toISOString().split(':', 1)[0]}:00:00.000Z`;

/** Whether a text is a valid calendar day. */
export function isDay(text: string): boolean {
  const time = DAY.test(text) ? new Date(text) : new Date(Number.NaN);
  return !Number.isNaN(time.getTime()) && dayOf(time) === text;
}

/** The day this many days later; earlier if negative. */
export const dayLater = (day: Day, days: number): Day => dayOf(new Date(Date.parse(day) + days * DAY_MS));

/** Number of days in a range, both inclusive; zero or negative if it ends before it begins. */
export const daysWithin = (from: Day, to: Day): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** The months of a period as `YYYY-MM`, both inclusive. */
export function monthsWithin(from: Day, to: Day): string[] {
  const first = monthNumber(from);
  return Array.from({ length: Math.max(0, monthNumber(to) - first + 1) }, (_, at) => monthName(first + at));
}

/** The last complete UTC month, first to last day. */
export function lastClosedMonth(time: Date): { readonly from: Day; readonly to: Day } {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
  return { from: dayOf(new Date(Date.UTC(year, month - 1))), to: dayOf(new Date(Date.UTC(year, month, 0))) };
}

/** The first and last day of a month given as `YYYY-MM`. */
export const periodOfMonth = (month: string): ReturnType<typeof lastClosedMonth> =>
  lastClosedMonth(new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)))));

const monthNumber = (day: Day): number => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1;
const monthName = (number: number): string =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
