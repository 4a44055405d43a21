/**
 * The time of a change, always later than the changes it builds on. Concurrent requests are decided in any order, so
 * with their own times a later state could appear to be the earlier one.
 * @param changes times of the changes it builds on, ISO 8601
 */
export function timeAfter(now: Date, ...changes: readonly (string | undefined)[]): Date {
  const lastMs = Math.max(...changes.map((at) => (at === undefined ? -Infinity : Date.parse(at))));
  return lastMs < now.getTime() ? now : new Date(lastMs + 1);
}

/** The number of changes, counting the creation as the first. */
export const versionOf = ({ version = 1 }: { readonly version?: number }): number => version;
