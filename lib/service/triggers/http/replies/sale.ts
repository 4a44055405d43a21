import type { RecordedSale } from '#lib/service/use-cases/record-sale.ts';

/** The answer to a real sale (contract 7). */
export function saleReply(sale: RecordedSale): Record<string, unknown> {
  if (!sale.attributed) {
    return {
      success: true,
      sale_id: null,
      commission_id: null,
      attributed: false,
      reason: 'attribution_window_expired',
      click_age_days: sale.clickAgeDays,
      window_days: sale.windowDays,
      message: 'Sale not attributed: outside the attribution window',
    };
  }
  const recorded = { success: true, sale_id: sale.saleId, commission_id: sale.commissionId, attributed: true };
  return sale.commissionId === null
    ? { ...recorded, reason: 'commission_not_due', message: 'Sale tracked; no commission is due for this payment' }
    : { ...recorded, message: 'Sale tracked successfully' };
}
