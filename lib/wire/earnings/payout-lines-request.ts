import * as z from 'zod/mini';
import { LINE_IDS_INVALID as text } from '#lib/service/ground/values/refusals.ts';
import { outOfBounds } from '#lib/wire/programs/bounds-request.ts';

const MOST_IDS = 100;
/** The maximum length of a line's id. Every valid id is shorter. */
const LONGEST_ID = 40;

const areDistinct = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;

/** Ids of payout lines that are changed together. */
export const LineIds = z.object({
  ids: z
    .array(z.string(text).check(z.minLength(1, text), z.maxLength(LONGEST_ID, text)), text)
    .check(
      z.minLength(1, text),
      z.maxLength(MOST_IDS, text),
      z.refine(areDistinct, outOfBounds(text, { uniqueItems: true })),
    ),
});
