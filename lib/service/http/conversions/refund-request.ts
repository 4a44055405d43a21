import { isPlainText, MATCHES_NOTHING, textOf } from '#lib/service/ground/values/identifier.ts';
import { badRequest } from '#lib/service/ground/values/refusals.ts';
import type { RefundRequest } from '#lib/service/conversions/refunds/record-refund.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { checkNames } from '#lib/service/http/messages/check-names.ts';
import { refundNames } from '#lib/wire/words/field-names-request.ts';
import {
  CorrectedRefund,
  Correction,
  OwnersCorrection,
  Refund,
  refundTexts,
} from '#lib/wire/conversions/refund-request.ts';

const LONGEST_REASON = 1_000;

/**
 * The body of a refund. A transaction id in an impossible format is not refused here; the reply is 404, as for any
 * unknown sale.
 * @throws Refusal
 */
export function refundBody(json: Json): RefundRequest {
  checkNames(json, refundNames);
  const isCorrection = json.correction === true;
  const fields = parseBody(isCorrection ? CorrectedRefund : Refund, json);
  const { transaction_id: id, reason = 'refund', refund_amount_cents: amountCents, refund_id: refundId } = fields;
  if (refundId !== undefined && amountCents === undefined) throw badRequest(refundTexts.refundIdAlone);
  parseBody(Correction, json);
  if (isCorrection && amountCents === undefined) throw badRequest(refundTexts.correctionAlone);
  return {
    transactionId: isPlainText(id) ? id.trim() : MATCHES_NOTHING,
    reason,
    amountCents,
    refundId,
    isCorrection,
    refundReason: textOf(json.refund_reason, LONGEST_REASON),
  };
}

/** The body of an owner's correction of the total refund of a sale. @throws Refusal */
export function ownersCorrectionBody(json: Json): Omit<RefundRequest, 'transactionId'> {
  if (json.refund_amount_cents === undefined) throw badRequest(refundTexts.correctionAlone);
  const { refund_amount_cents: amountCents, refund_reason: refundReason } = parseBody(OwnersCorrection, json);
  return { reason: 'refund', amountCents, isCorrection: true, refundReason };
}
