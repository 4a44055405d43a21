/**
 * Returns the time of a change that follows others in the same moment: each of them is a millisecond later. ISO 8601.
 */
export const momentsAfter = (at: Date, milliseconds: number): string =>
  new Date(at.getTime() + milliseconds).toISOString();
