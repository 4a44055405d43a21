/** How many days after the attribution window a click is kept without a signup or sale, unless it is configured. */
export const UNUSED_CLICK_DAYS = 90;

/**
 * Every click lives at least this many days, so that a rebuild of the counters can recount these days. A deployment
 * cannot keep unused clicks for a shorter time, and a first click that has less time left takes no later clicks.
 */
export const SHORTEST_CLICK_LIFE_DAYS = 30;
