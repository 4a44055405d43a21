import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { type Day, dayOf } from '#lib/service/ground/values/day.ts';
import { nameInMail } from '#lib/service/people/mail/name-in-mail.ts';

// What waited for the owners of a workspace to decide, told to them once a day.

/** When the digest of a day goes: on the next one, in UTC. */
const HOUR_OF_DIGEST = 6;
const HOUR_MS = 3_600_000;

export const digestTime = (day: Day): string =>
  new Date(Date.parse(day) + DAY_MS + HOUR_OF_DIGEST * HOUR_MS).toISOString();

/**
 * The day under which something is told that happened at a time: that of the time, unless its digest has gone or is about
 * to go.
 */
export function dayToTell(happenedAt: Date, now: Date): Day {
  const day = dayOf(happenedAt);
  return Date.parse(digestTime(day)) - HOUR_MS > now.getTime() ? day : dayOf(now);
}

/** Something that waits for an owner. */
export type DigestRow = { readonly programId: number } & (
  | { readonly of: 'application'; readonly name: string; readonly isQueued: boolean }
  | { readonly of: 'held' }
);

/** What waits in one program. */
export interface ProgramDigest {
  readonly programId: number;
  readonly programName: string;
  /** People who have applied; those in the queue are counted apart, and not named. */
  readonly applications: number;
  readonly names: readonly string[];
  readonly queued: number;
  readonly held: number;
}

/** Names of one program in a digest. The rest is counted. */
const MOST_NAMES = 20;

/** What rows say of one program. */
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
