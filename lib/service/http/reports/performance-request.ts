import { dayLater, dayOf, daysWithin } from '#lib/service/ground/values/day.ts';
import type { Period } from '#lib/service/ground/values/performance.ts';
import { rangeReversed, rangeTooLong } from '#lib/service/ground/values/refusals.ts';
import type { RequestInput } from '#lib/service/http/callers/account-endpoint.ts';
import { rangeQuery } from '#lib/service/http/messages/query.ts';

const DEFAULT_DAYS = 30;
const MOST_DAYS = 366;

/**
 * The period of a report. Without days it is the 30 days that end today; with only one day it is the 30 days that begin
 * or end with that day.
 * @throws Refusal for an invalid period
 */
export function periodQuery(sent: RequestInput, now: Date): Period {
  const range = rangeQuery(sent);
  const to = range.to ?? dayOf(now);
  const from = range.from ?? dayLater(to, 1 - DEFAULT_DAYS);
  if (from > to) throw rangeReversed();
  if (daysWithin(from, to) > MOST_DAYS) throw rangeTooLong(MOST_DAYS);
  return { from, to };
}
