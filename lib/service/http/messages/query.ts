import { type Day, isDay } from '#lib/service/ground/values/day.ts';
import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { choices } from '#lib/service/ground/values/paging.ts';
import { dateInvalid, notOneOf, rangeReversed, timeInvalid } from '#lib/service/ground/values/refusals.ts';
import type { RequestInput } from '#lib/service/http/callers/account-endpoint.ts';

/** A filter with a fixed set of values. @throws Refusal */
export function chosenQuery<Value extends string>(
  { query }: RequestInput,
  field: string,
  valid: readonly Value[],
): Value | undefined {
  const sent = query[field];
  const value = valid.find((one) => one === sent);
  if (sent !== undefined && value === undefined) throw notOneOf(field, sent, valid);
  return value;
}

/** A filter by a property: true, false, or absent for all. @throws Refusal */
export function choiceQuery(sent: RequestInput, field: string): boolean | undefined {
  const value = chosenQuery(sent, field, choices);
  return value && value === 'true';
}

/** A filter by id. An invalid id becomes 0, so that the list is empty. */
export const idQuery = ({ query }: RequestInput, field: string): number | undefined =>
  query[field] === undefined ? undefined : (numericIdOf(query[field]) ?? 0);

/** A filter that is on or off. It is on only for the values `true` and `1`. */
export const flagQuery = ({ query }: RequestInput, field: string): boolean =>
  query[field] === 'true' || query[field] === '1';

function dayQuery({ query }: RequestInput, field: string): Day | undefined {
  const sent = query[field];
  if (sent !== undefined && !isDay(sent)) throw dateInvalid(field);
  return sent;
}

/** A UTC time with milliseconds, in the format of the replies. @throws Refusal */
export function timeQuery({ query }: RequestInput, field: string): string | undefined {
  const sent = query[field];
  if (sent === undefined) return undefined;
  const time = new Date(sent);
  if (Number.isNaN(time.getTime()) || time.toISOString() !== sent) throw timeInvalid(field);
  return sent;
}

/** `from` and `to`, both inclusive. @throws Refusal */
export function rangeQuery(sent: RequestInput): { from?: Day; to?: Day } {
  const from = dayQuery(sent, 'from');
  const to = dayQuery(sent, 'to');
  if (from !== undefined && to !== undefined && from > to) throw rangeReversed();
  return { from, to };
}
