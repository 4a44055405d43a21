import * as z from 'zod/mini';
import { LONGEST_IDENTIFIER } from '#lib/service/ground/values/identifier.ts';
import { integer, outOfBounds } from '#lib/wire/programs/bounds-request.ts';
import { trimmedText } from '#lib/wire/words/fields-request.ts';

/** Messages about wrong fields. The first wrong field decides which one is sent. */
export const refundTexts = {
  transactionId: 'transaction_id is required',
  reason: 'reason must be refund or chargeback',
  amount: 'refund_amount_cents must be a positive integer',
  refundId: 'refund_id must be a string of 1 to 255 characters',
  refundIdAlone: 'refund_id needs refund_amount_cents',
  correction: 'correction must be a boolean',
  correctionAlone: 'correction needs refund_amount_cents',
};

const isRefundId = (text: string) => text.length > 0 && text.length <= LONGEST_IDENTIFIER;
const refundIdBounds = outOfBounds(refundTexts.refundId, { minLength: 1, maxLength: LONGEST_IDENTIFIER });

const fields = {
  transaction_id: z
    .string(refundTexts.transactionId)
    .check(z.refine((text) => text.trim() !== '', refundTexts.transactionId)),
  reason: z.optional(z.enum(['refund', 'chargeback'], refundTexts.reason)),
};
const refundId = z.optional(z.string(refundTexts.refundId).check(z.refine(isRefundId, refundIdBounds)));

/** The fields in the order in which the first wrong one is reported. */
export const Refund = z.object({
  ...fields,
  refund_amount_cents: z.optional(integer({ minimum: 1 }, refundTexts.amount)),
  refund_id: refundId,
});

const correctedCents = integer({ minimum: 0 }, refundTexts.amount);

/** A refund whose amount replaces a recorded one. */
export const CorrectedRefund = z.object({
  ...fields,
  refund_amount_cents: z.optional(correctedCents),
  refund_id: refundId,
});

/** Whether the call is a correction. This field is checked after the others. */
export const Correction = z.object({ correction: z.optional(z.boolean(refundTexts.correction)) });

const reasonMissing = 'refund_reason is required';

/** Messages of an owner's correction. */
export const ownersCorrectionTexts = [refundTexts.correctionAlone, refundTexts.amount, reasonMissing];

/** An owner's correction of the total refund of a sale. */
export const OwnersCorrection = z.object({
  refund_amount_cents: correctedCents,
  refund_reason: trimmedText(500, reasonMissing),
});
