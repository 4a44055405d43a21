/** The time of a change that builds on others made at the same time: each is a millisecond later. ISO 8601. */
export const momentsAfter = (at: Date, milliseconds: number): string =>
  new Date(at.getTime() + milliseconds).toISOString();
