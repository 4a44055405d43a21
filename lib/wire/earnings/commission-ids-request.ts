import * as z from 'zod/mini';
import { BATCH_INVALID, COMMISSION_IDS_INVALID as text } from '#lib/service/ground/values/refusals.ts';
import { outOfBounds } from '#lib/wire/programs/bounds-request.ts';
import { Reason } from '#lib/wire/words/reason-request.ts';

const MOST_IDS = 100;

const areDistinct = (ids: readonly number[]): boolean => new Set(ids).size === ids.length;

/** The format of a batch id. Requests with the same batch id share an entry of the audit list. */
const BATCH = /^[\w-]{8,64}$/;

/** Ids of commissions that are decided together. */
export const CommissionIds = z.object({
  ids: z
    .array(z.int(text), text)
    .check(
      z.minLength(1, text),
      z.maxLength(MOST_IDS, text),
      z.refine(areDistinct, outOfBounds(text, { uniqueItems: true })),
    ),
  batch: z.optional(
    z
      .string(BATCH_INVALID)
      .check(z.refine((sent) => BATCH.test(sent), outOfBounds(BATCH_INVALID, { pattern: BATCH.source }))),
  ),
});

/** Ids of commissions, with the reason why they are rejected or reopened. */
export const CommissionIdsWithReason = z.extend(CommissionIds, Reason.shape);
