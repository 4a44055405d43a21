import type { RecordedSale } from '#lib/service/conversions/sales/record-sale.ts';
import type * as wire from '#lib/wire/conversions/sale.ts';

/** The reply to a real sale. */
export function saleReply(sale: RecordedSale): wire.RecordedSale {
  if (!sale.attributed && sale.isClickTooLate) {
    return {
      success: true,
      sale_id: null,
      commission_id: null,
      attributed: false,
      reason: 'click_after_payment',
      message: 'Sale not attributed: the click came after the payment',
    };
  }
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
  const { saleId, commissionId, attributed, isRecurring } = sale;
  return commissionId === null
    ? {
        success: true,
        sale_id: saleId,
        commission_id: commissionId,
        attributed,
        is_recurring: isRecurring,
        reason: 'commission_not_due',
        message: 'Sale tracked; no commission is due for this payment',
      }
    : {
        success: true,
        sale_id: saleId,
        commission_id: commissionId,
        attributed,
        is_recurring: isRecurring,
        message: 'Sale tracked successfully',
      };
}
