/**
 * The time of a change: after those of the changes that it builds on. Requests of one moment are decided in any order, so
 * by their own times a later state could be told as the earlier one.
 * @param changes times of what the change builds on, ISO 8601
 */
export function timeAfter(now: Date, ...changes: readonly (string | undefined)[]): Date {
  const lastMs = Math.max(...changes.map((at) => (at === undefined ? -Infinity : Date.parse(at))));
  return lastMs < now.getTime() ? now : new Date(lastMs + 1);
}

/** How often something has changed, with its making. */
export const versionOf = ({ version = 1 }: { readonly version?: number }): number => version;
