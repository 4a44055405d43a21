import { paymentStatusOf } from '#lib/service/conversions/payments/payment-status.ts';
import { versionOf } from '#lib/service/ground/changes/versions.ts';
import type { RecordedRefund } from '#lib/service/reports/stories/timeline.ts';
import type { ListedEvent } from '#lib/service/reports/lists/list-events.ts';
import type * as wire from '#lib/wire/reports/event.ts';

/** A row of the tracking log. Unknown values are null. */
export function eventReply(event: ListedEvent): wire.TrackedEvent {
  const { id, type } = event;
  if (type === 'click') {
    return {
      id,
      type,
      ...eventFacts(event),
      short_link: event.shortLink ?? null,
      page_url: event.pageUrl ?? null,
      referrer_url: event.referrerUrl ?? null,
      first: event.isFirst,
      quality: event.quality,
    };
  }
  if (type === 'lead') {
    return {
      id,
      type,
      ...eventFacts(event),
      state: event.state ?? null,
      mode: event.mode,
      event_name: event.eventName ?? null,
      email_masked: event.emailMasked ?? null,
    };
  }
  if (type === 'sale') {
    const { sale } = event;
    return {
      id,
      type,
      ...eventFacts(event),
      transaction_id: sale.transactionId,
      amount_cents: sale.amountCents,
      currency: sale.currency,
      source: sale.source,
      occurred_at: sale.occurredAt,
      is_recurring: sale.isRecurring,
      payment_status: paymentStatusOf(sale),
      refunded_amount_cents: sale.refundedCents,
      commission_id: sale.commissionId ?? null,
      code: sale.code ?? null,
      version: versionOf(sale),
    };
  }
  const { refund } = event;
  return {
    id,
    type,
    ...eventFacts(event),
    sale_id: refund.saleId,
    transaction_id: refund.transactionId,
    ...refundFacts(refund),
    currency: refund.currency,
  };
}

const eventFacts = (event: ListedEvent): Omit<wire.EventFacts, 'id'> => ({
  created_at: event.createdAt,
  is_test: event.isTest,
  keyed: event.isKeyed,
  partner_id: event.partnerId ?? null,
  partner_name: event.partner?.name ?? null,
  click_id: event.clickId ?? null,
  customer_key: event.customerKey ?? null,
});

/** What a refund changed, for the tracking log and for the explanation of its sale. */
export const refundFacts = (refund: Omit<RecordedRefund, 'id' | 'createdAt'>): wire.RefundFacts => ({
  reason: refund.reason,
  refund_reason: refund.refundReason ?? null,
  amount_cents: refund.amountCents,
  refunded_amount_cents: refund.refundedCents,
  deduction_cents: refund.deductionCents,
});
