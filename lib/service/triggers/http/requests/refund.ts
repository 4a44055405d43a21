import { isPlainText, MATCHES_NOTHING, textOf } from '#lib/domain/identifier.ts';
import type { RefundRequest } from '#lib/service/use-cases/record-refund.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import { checkNames } from '#lib/service/triggers/http/requests/check-names.ts';
import { refundNames } from '#lib/wire/requests/field-names.ts';
import { Refund } from '#lib/wire/requests/refund.ts';

const LONGEST_REASON = 1_000;

/** The body of a refund. An id that no sale can have is a 404, too. @throws Refusal */
export function refundBody(json: Json): RefundRequest {
  checkNames(json, refundNames);
  const { transaction_id: id, reason = 'refund', refund_amount_cents: totalCents } = parseBody(Refund, json);
  return {
    transactionId: isPlainText(id) ? id.trim() : MATCHES_NOTHING,
    reason,
    totalCents,
    refundReason: textOf(json.refund_reason, LONGEST_REASON),
  };
}
