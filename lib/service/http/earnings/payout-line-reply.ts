import { lineIdOf, lineNumberOf } from '#lib/service/earnings/lines/payout-line.ts';
import type { ChangedLine } from '#lib/service/earnings/lines/change-lines.ts';
import type { CommissionInLine, LineToPartner } from '#lib/service/earnings/lines/read-lines.ts';
import { commissionReply } from '#lib/service/http/earnings/commission-reply.ts';
import type * as wire from '#lib/wire/earnings/payout-line.ts';

export const payoutLineReply = ({ line, partner, paidTo }: LineToPartner): wire.PayoutLine => ({
  id: lineIdOf(line),
  number: lineNumberOf(line),
  payout_id: line.payoutId,
  partner_id: line.partnerId,
  partner_name: partner?.name ?? null,
  partner_email: partner?.email ?? null,
  currency: line.currency,
  amount_cents: line.amountCents,
  commissions: line.commissions,
  status: line.status,
  method: paidTo?.method ?? null,
  masked: paidTo?.masked ?? null,
  reference: line.reference ?? null,
  reason: line.reason ?? null,
  returning: line.returning ?? false,
  recorded_at: line.createdAt,
  sent_at: line.sentAt ?? null,
  paid_at: line.paidAt ?? null,
  ended_at: line.endedAt ?? null,
});

export const commissionInLineReply = ({
  commission,
  partner,
  inLineCents,
}: CommissionInLine): wire.CommissionInLine => ({
  ...commissionReply({ commission, partner }),
  in_line_cents: inLineCents,
});

/** The reply about one of several changed payout lines. @param textOf returns the text that is shown for an error */
export const changedLineReply = (
  { id, status, error }: ChangedLine,
  textOf: (error: unknown) => string,
): wire.ChangedLine => ({ id, status: status ?? null, error: error === undefined ? null : textOf(error) });
