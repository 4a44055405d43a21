import { type Day, dayLater } from '#lib/service/ground/values/day.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

type Scheduled = Pick<Program, 'payoutDays'>;

/** The number of days within which every day of the month up to the 28th comes. */
const LONGEST_MONTH = 31;

export const isPayoutDay = ({ payoutDays = [] }: Scheduled, day: Day): boolean =>
  payoutDays.includes(Number(day.slice('YYYY-MM-'.length)));

/** The first payout day of a program from a day on; undefined if it has none. */
export const nextPayoutDay = (program: Scheduled, from: Day): Day | undefined =>
  Array.from({ length: LONGEST_MONTH }, (_, days) => dayLater(from, days)).find((day) => isPayoutDay(program, day));

/** The time at which a day begins, ISO 8601. */
export const beginningOf = (day: Day): string => `${day}T00:00:00.000Z`;
