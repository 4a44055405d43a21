/** The time of a change that builds on others of the same moment: a millisecond after each. ISO 8601 */
export const momentsAfter = (at: Date, milliseconds: number): string =>
  new Date(at.getTime() + milliseconds).toISOString();
