/**
 * The time to record for a change: always later than the changes on which it is based. Concurrent requests may be
 * decided in any order, so by the requests' times, a newer state could look older.
 * @param changes times of the changes on which it is based, ISO 8601
 */
export function timeAfter(now: Date, ...changes: readonly (string | undefined)[]): Date {
  const lastMs = Math.max(...changes.map((at) => (at === undefined ? -Infinity : Date.parse(at))));
  return lastMs < now.getTime() ? now : new Date(lastMs + 1);
}

/** The number of changes, counting the creation as the first. */
export const versionOf = ({ version = 1 }: { readonly version?: number }): number => version;
