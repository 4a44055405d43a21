import { noPartnerRelation, type Refusal } from '#lib/service/ground/values/refusals.ts';
import type { UnattributedReason } from '#lib/service/conversions/waiting/unattributed-payment.ts';
import type { RecordedSale } from '#lib/service/conversions/sales/record-sale.ts';

/**
 * The reason for the list of unattributed payments, if a call succeeded but its sale was not recorded. Undefined if it
 * was recorded.
 */
export function reasonOfSale(sale: RecordedSale): UnattributedReason | undefined {
  if (sale.attributed) return undefined;
  return sale.isClickTooLate ? 'click_after_payment' : 'attribution_window_expired';
}

/**
 * The reason for the list of unattributed payments, if a sale was refused. Undefined if the sale is recorded already,
 * or if it has no customer.
 */
export function reasonOfRefusal({
  message,
  parts: { code, details, warnings },
}: Refusal): UnattributedReason | undefined {
  if (code === 'unsupported_currency') return code;
  if (code === 'duplicate_transaction') return details?.own === false ? 'id_used_elsewhere' : undefined;
  if (message === noPartnerRelation().message) return 'no_partner_relation';
  // The click id was sent but found no customer.
  const [warning] = warnings ?? [];
  if (warning === undefined) return undefined;
  return warning === 'bot_click' ? warning : 'unknown_click';
}
