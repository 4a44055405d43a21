import { badRequest, SEEN_INVALID } from '#lib/service/ground/values/refusals.ts';
import { changedSince, type Comparison, partOf, type Values } from '#lib/service/ground/changes/seen.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';

/** Fields that consist of several entries. A change may name only some of them; the others stay unchanged. */
const inParts: readonly string[] = ['rules'];

/** How deeply the values may be nested. Replies show none that are deeper, and comparing very deep ones fails. */
const MOST_LEVELS = 20;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/**
 * The values that the caller last read for the fields that it changes.
 * @param fields the fields that the route accepts
 * @returns undefined if the caller sends no such values
 * @throws Refusal
 */
export function seenIn(json: Json, fields: readonly string[]): Values | undefined {
  const { seen } = json;
  if (seen === undefined) return undefined;
  if (typeof seen !== 'object' || seen === null || Array.isArray(seen) || isDeeper(seen, MOST_LEVELS))
    throw badRequest(SEEN_INVALID);
  return Object.fromEntries(
    Object.entries(seen)
      .filter(([field]) => json[field] !== undefined && fields.includes(field))
      .map(([field, value]) => [field, inParts.includes(field) ? partOf(value, json[field]) : value]),
  );
}

/** Returns a function that compares the values that the caller has read with those that a reply would show now. */
export const comparedWith = <Thing>(
  seen: Values | undefined,
  replyOf: (present: Thing) => object,
): Comparison<Thing> | undefined => seen && ((present) => changedSince(seen, replyOf(present) as Values, inParts));
