import * as z from 'zod/mini';
import { isPlainText, MATCHES_NOTHING, textOf } from '#lib/domain/identifier.ts';
import type { RefundRequest } from '#lib/service/use-cases/record-refund.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';

/** What is said of the first wrong field. */
export const refundTexts = {
  transactionId: 'transaction_id is required',
  reason: 'reason must be refund or chargeback',
  amount: 'refund_amount_cents must be a positive integer',
};

const Refund = z.object({
  transaction_id: z
    .string(refundTexts.transactionId)
    .check(z.refine((text) => text.trim() !== '', refundTexts.transactionId)),
  reason: z._default(z.enum(['refund', 'chargeback'], refundTexts.reason), 'refund'),
  refund_amount_cents: z.optional(
    z
      .number(refundTexts.amount)
      .check(z.refine((cents) => Number.isSafeInteger(cents) && cents >= 0, refundTexts.amount)),
  ),
});

const LONGEST_REASON = 1_000;

/** The body of a refund (contract 8). An id that no sale can have is looked for all the same: 404. @throws Refusal */
export function refundBody(json: Json): RefundRequest {
  const { transaction_id: id, reason, refund_amount_cents: totalCents } = parseBody(Refund, json);
  return {
    transactionId: isPlainText(id) ? id.trim() : MATCHES_NOTHING,
    reason,
    totalCents,
    refundReason: textOf(json.refund_reason, LONGEST_REASON),
  };
}
