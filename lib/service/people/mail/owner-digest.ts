import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { type Day, dayOf } from '#lib/service/ground/values/day.ts';
import { nameInMail } from '#lib/service/people/mail/name-in-mail.ts';

// The digest is a daily mail to the owners of a workspace about what they must decide.

/** Hour in UTC, on the next day, at which a day's digest is sent. */
const HOUR_OF_DIGEST = 6;
const HOUR_MS = 3_600_000;

export const digestTime = (day: Day): string =>
  new Date(Date.parse(day) + DAY_MS + HOUR_OF_DIGEST * HOUR_MS).toISOString();

/**
 * The day in whose digest an event appears. It is the day of the event, unless that day's digest was already sent or is
 * about to be sent: then it is the present day.
 */
export function digestDayOf(happenedAt: Date, now: Date): Day {
  const day = dayOf(happenedAt);
  return Date.parse(digestTime(day)) - HOUR_MS > now.getTime() ? day : dayOf(now);
}

/** Something that an owner must decide. */
export type DigestRow = { readonly programId: number } & (
  | { readonly of: 'application'; readonly name: string; readonly isQueued: boolean }
  | { readonly of: 'held' }
);

/** What must be decided in one program. */
export interface ProgramDigest {
  readonly programId: number;
  readonly programName: string;
  /** Applications that are listed, not queued. Queued applications are only counted, in `queued`. */
  readonly applications: number;
  readonly names: readonly string[];
  readonly queued: number;
  readonly held: number;
}

/** How many names a digest lists per program at most. All others are only counted. */
const MOST_NAMES = 20;

export function programDigest(programId: number, programName: string, all: readonly DigestRow[]): ProgramDigest {
  const rows = all.filter((row) => row.programId === programId);
  const applications = rows.filter((row) => row.of === 'application');
  const listed = applications.filter(({ isQueued }) => !isQueued);
  return {
    programId,
    programName: nameInMail(programName) || 'A program',
    applications: listed.length,
    names: listed.slice(0, MOST_NAMES).map(({ name }) => nameInMail(name) || 'Somebody'),
    queued: applications.length - listed.length,
    held: rows.filter((row) => row.of === 'held').length,
  };
}
