import * as z from 'zod/mini';
import { integer } from '#lib/wire/requests/bounds.ts';

/** Messages for the first wrong field. */
export const refundTexts = {
  transactionId: 'transaction_id is required',
  reason: 'reason must be refund or chargeback',
  amount: 'refund_amount_cents must be a positive integer',
};

/** In the order in which the first wrong field is reported. */
export const Refund = z.object({
  transaction_id: z
    .string(refundTexts.transactionId)
    .check(z.refine((text) => text.trim() !== '', refundTexts.transactionId)),
  reason: z.optional(z.enum(['refund', 'chargeback'], refundTexts.reason)),
  refund_amount_cents: z.optional(integer({ minimum: 0 }, refundTexts.amount)),
});
