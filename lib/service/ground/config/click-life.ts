/**
 * Every click stays stored for at least this many days, so that a rebuild of the counters can recount these days. A
 * deployment cannot set a shorter time, and later clicks are not stored with a first click that expires sooner.
 */
export const SHORTEST_CLICK_LIFE_DAYS = 30;

const LONGEST_DAYS = 3_650;

export const isUnusedClickDays = (text: string): boolean =>
  /^\d{1,4}$/.test(text) && Number(text) >= SHORTEST_CLICK_LIFE_DAYS && Number(text) <= LONGEST_DAYS;

export const unusedClickDaysRule = `must be an integer from ${SHORTEST_CLICK_LIFE_DAYS} to ${LONGEST_DAYS}`;
