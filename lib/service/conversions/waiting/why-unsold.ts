import { noPartnerRelation, type Refusal } from '#lib/service/ground/values/refusals.ts';
import type { UnsoldReason } from '#lib/service/conversions/waiting/unsold-payment.ts';
import type { RecordedSale } from '#lib/service/conversions/sales/record-sale.ts';

/** Why a sale that was answered was not recorded; undefined when it was. */
export function reasonOfSale(sale: RecordedSale): UnsoldReason | undefined {
  if (sale.attributed) return undefined;
  return sale.isClickTooLate ? 'click_after_payment' : 'attribution_window_expired';
}

/** Why a refused sale is lost; undefined where it is recorded, or names nobody. */
export function reasonOfRefusal({ message, parts: { code, details, warnings } }: Refusal): UnsoldReason | undefined {
  if (code === 'unsupported_currency') return code;
  if (code === 'duplicate_transaction') return details?.own === false ? 'id_used_elsewhere' : undefined;
  if (message === noPartnerRelation().message) return 'no_partner_relation';
  // A click id that was sent, and found nobody.
  const [warning] = warnings ?? [];
  if (warning === undefined) return undefined;
  return warning === 'bot_click' ? warning : 'unknown_click';
}
