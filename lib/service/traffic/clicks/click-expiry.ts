import { SHORTEST_CLICK_LIFE_DAYS } from '#lib/service/ground/config/click-life.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';

/** When a first click expires if its visitor neither signs up nor pays, in unix seconds. */
export const clickExpiry = (clickedAt: Date, windowDays: number, unusedDays: number): number =>
  Math.floor((clickedAt.getTime() + (windowDays + unusedDays) * DAY_MS) / 1_000);

/**
 * Whether a later click can be stored with this first click. Later clicks expire together with the first one, so it
 * must have enough time left.
 */
export const takesLaterClicks = ({ expires_at = Infinity }: Pick<Customer, 'expires_at'>, now: Date): boolean =>
  expires_at >= (now.getTime() + SHORTEST_CLICK_LIFE_DAYS * DAY_MS) / 1_000;
