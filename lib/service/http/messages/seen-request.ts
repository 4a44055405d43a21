import { badRequest, SEEN_INVALID } from '#lib/service/ground/values/refusals.ts';
import { changedSince, type Comparison, partOf, type Values } from '#lib/service/ground/changes/seen.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';

/** Fields in which a change names some entries and leaves the others unchanged. */
const inParts: readonly string[] = ['rules'];

/**
 * The values that the caller last read for the fields that it changes.
 * @param fields accepted by the route
 * @returns undefined when the caller does not send them
 * @throws Refusal
 */
export function seenIn(json: Json, fields: readonly string[]): Values | undefined {
  const { seen } = json;
  if (seen === undefined) return undefined;
  if (typeof seen !== 'object' || seen === null || Array.isArray(seen)) throw badRequest(SEEN_INVALID);
  return Object.fromEntries(
    Object.entries(seen)
      .filter(([field]) => json[field] !== undefined && fields.includes(field))
      .map(([field, value]) => [field, inParts.includes(field) ? partOf(value, json[field]) : value]),
  );
}

/** Returns a comparison of the values that the caller has read with those that a reply would show now. */
export const comparedWith = <Thing>(
  seen: Values | undefined,
  replyOf: (present: Thing) => object,
): Comparison<Thing> | undefined => seen && ((present) => changedSince(seen, replyOf(present) as Values, inParts));
