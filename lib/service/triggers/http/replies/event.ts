import { paymentStatusOf } from '#lib/domain/payment-status.ts';
import type { Sale } from '#lib/domain/sale.ts';
import type { RefundStep } from '#lib/domain/timeline.ts';
import type { ListedEvent } from '#lib/service/use-cases/list-events.ts';

/** One row of the tracking log (contract 15.5). What is unknown is null. */
export const eventReply = (event: ListedEvent) => ({
  id: event.id,
  type: event.type,
  created_at: event.createdAt,
  is_test: event.isTest,
  keyed: event.isKeyed,
  partner_id: event.partnerId ?? null,
  partner_name: event.partner?.name ?? null,
  click_id: event.clickId ?? null,
  customer_key: event.customerKey ?? null,
  ...detailsReply(event),
});

function detailsReply(event: ListedEvent) {
  if (event.type === 'click') {
    return {
      short_link: event.shortLink ?? null,
      page_url: event.pageUrl ?? null,
      referrer_url: event.referrerUrl ?? null,
      first: event.isFirst,
    };
  }
  if (event.type === 'lead') {
    return {
      state: event.state ?? null,
      mode: event.mode,
      event_name: event.eventName ?? null,
      email_masked: event.emailMasked ?? null,
    };
  }
  return event.type === 'sale' ? saleDetails(event.sale) : refundDetails(event.refund);
}

const saleDetails = (sale: Sale) => ({
  transaction_id: sale.transactionId,
  amount_cents: sale.amountCents,
  currency: sale.currency,
  source: sale.source,
  occurred_at: sale.occurredAt,
  is_recurring: sale.isRecurring,
  payment_status: paymentStatusOf(sale),
  refunded_amount_cents: sale.refundedCents,
  commission_id: sale.commissionId ?? null,
});

const refundDetails = (refund: RefundFacts & { readonly saleId: number; readonly transactionId: string }) => ({
  sale_id: refund.saleId,
  transaction_id: refund.transactionId,
  ...refundFacts(refund),
});

type RefundFacts = Omit<RefundStep, 'id' | 'createdAt'>;

/** What a refund did, in the tracking log and in the story of its sale. */
export const refundFacts = (refund: RefundFacts) => ({
  reason: refund.reason,
  refund_reason: refund.refundReason ?? null,
  amount_cents: refund.amountCents,
  refunded_amount_cents: refund.refundedCents,
  deduction_cents: refund.deductionCents,
});
