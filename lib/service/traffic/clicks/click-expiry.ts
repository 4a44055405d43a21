/**
 * Every click lives at least this long: rebuilds of the counters can recount the days since then. So a deployment
 * cannot keep unused clicks for a shorter time, and a click that has less time left takes no later clicks.
 */
export const SHORTEST_CLICK_LIFE_DAYS = 30;
