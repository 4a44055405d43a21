/** The time of a change that follows others at the same time: a millisecond after each. ISO 8601 */
export const momentsAfter = (at: Date, milliseconds: number): string =>
  new Date(at.getTime() + milliseconds).toISOString();
