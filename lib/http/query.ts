import { numericIdOf } from '#lib/domain/identifier.ts';
import { notOneOf } from '#lib/domain/refusals.ts';
import type { Sent } from '#lib/http/account-endpoint.ts';

/** A filter that takes one of a few values. @throws Refusal */
export function chosenQuery<Value extends string>(
  { query }: Sent,
  field: string,
  valid: readonly Value[],
): Value | undefined {
  const sent = query[field];
  const value = valid.find((one) => one === sent);
  if (sent !== undefined && value === undefined) throw notOneOf(field, sent, valid);
  return value;
}

/** A filter by id; 0 for what is no id, and so matches nothing. */
export const idQuery = ({ query }: Sent, field: string): number | undefined =>
  query[field] === undefined ? undefined : (numericIdOf(query[field]) ?? 0);
