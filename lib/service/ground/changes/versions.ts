/**
 * The time to record for a change. It is always later than the changes that the change builds on: concurrent requests
 * may be decided in any order, so with their own times a later state could seem to be the earlier one.
 * @param changes times of the changes that it builds on, ISO 8601
 */
export function timeAfter(now: Date, ...changes: readonly (string | undefined)[]): Date {
  const lastMs = Math.max(...changes.map((at) => (at === undefined ? -Infinity : Date.parse(at))));
  return lastMs < now.getTime() ? now : new Date(lastMs + 1);
}

/** The number of changes, counting the creation as the first. */
export const versionOf = ({ version = 1 }: { readonly version?: number }): number => version;
