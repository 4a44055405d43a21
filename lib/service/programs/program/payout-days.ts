import { type Day, dayLater } from '#lib/service/ground/values/day.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

type Scheduled = Pick<Program, 'payoutDays'>;

/** Every day of the month up to the 28th comes at least once within this number of days. */
const LONGEST_MONTH = 31;

export const isPayoutDay = ({ payoutDays = [] }: Scheduled, day: Day): boolean =>
  payoutDays.includes(Number(day.slice('YYYY-MM-'.length)));

/** The first payout day of a program on or after a day; undefined if the program has no payout days. */
export const nextPayoutDay = (program: Scheduled, from: Day): Day | undefined =>
  Array.from({ length: LONGEST_MONTH }, (_, days) => dayLater(from, days)).find((day) => isPayoutDay(program, day));

/** The time at which a day begins, ISO 8601. */
export const beginningOf = (day: Day): string => `${day}T00:00:00.000Z`;
