import { wholeDays, type WindowCheck } from '#lib/domain/attribution-window.ts';
import { paymentStatusOf } from '#lib/domain/payment-status.ts';
import type { Sale } from '#lib/domain/sale.ts';
import { timelineOf } from '#lib/domain/timeline.ts';
import { commissionReply } from '#lib/service/triggers/http/replies/commission.ts';
import { clickReply, customerFactsReply, leadReply } from '#lib/service/triggers/http/replies/customer.ts';
import { refundFacts } from '#lib/service/triggers/http/replies/event.ts';
import type { ExplainedSale } from '#lib/service/use-cases/explain-sale.ts';
import type * as wire from '#lib/wire/explained-sale.ts';

/** Why this partner got this sale. */
export const explainedSaleReply = (explained: ExplainedSale): wire.ExplainedSale => ({
  sale: soldReply(explained.sale),
  attribution: attributionReply(explained),
  customer: soldToReply(explained),
  clicks: explained.clicks.map(clickReply),
  lead: explained.lead ? leadReply(explained.lead) : null,
  window: explained.sale.attribution ? windowReply(explained.sale.attribution.window) : null,
  commission: explained.commission
    ? commissionReply({ commission: explained.commission, partner: explained.partner })
    : null,
  refunds: explained.refunds.map((refund) => ({
    id: refund.id,
    at: refund.createdAt,
    ...refundFacts(refund),
  })),
  history: (explained.commission?.history ?? []).map(({ at, actor, action, from, to, amountCents, reason }) => ({
    at,
    actor,
    action,
    from,
    to,
    amount_cents: amountCents,
    reason,
  })),
  timeline: timelineOf(explained),
});

const soldReply = (sale: Sale): wire.ExplainedSale['sale'] => ({
  id: sale.id,
  transaction_id: sale.transactionId,
  amount_cents: sale.amountCents,
  currency: sale.currency,
  source: sale.source,
  sale_type: sale.saleType,
  is_recurring: sale.isRecurring,
  subscription_id: sale.subscriptionId ?? null,
  provider: sale.provider ?? null,
  provider_payment_id: sale.providerPaymentId ?? null,
  livemode: sale.livemode ?? null,
  is_test: sale.isTest ?? false,
  payment_status: paymentStatusOf(sale),
  refunded_amount_cents: sale.refundedCents,
  occurred_at: sale.occurredAt,
  created_at: sale.createdAt,
});

function attributionReply(explained: ExplainedSale): wire.ExplainedSale['attribution'] {
  const { attribution } = explained.sale;
  return {
    resolved_by: attribution?.resolvedBy ?? null,
    identifier: attribution?.identifier ?? null,
    partner:
      attribution?.partnerId === undefined
        ? null
        : {
            id: attribution.partnerId,
            name: explained.partner?.name ?? null,
            short_link: attribution.shortLink,
          },
    text: attributionText(explained),
  };
}

const attributionText = (explained: ExplainedSale): string =>
  [foundText(explained), ...movedKeyText(explained), ...unlinkedText(explained)].join(' ');

const movedKeyText = ({ sale: { attribution } }: ExplainedSale): string[] =>
  attribution?.keyTakenFrom === undefined
    ? []
    : [
        `This sale moved the customer key here from click ${attribution.keyTakenFrom}, for which only a browser had claimed it.`,
      ];

const unlinkedText = ({ customer }: ExplainedSale): string[] =>
  customer?.unlinkedAt === undefined
    ? []
    : [
        `An owner unlinked the customer on ${customer.unlinkedAt.slice(0, 10)}: later sales find nobody until the person comes through a link again.`,
      ];

function foundText({ sale, partner }: ExplainedSale): string {
  const { attribution, commissionState } = sale;
  if (!attribution) return 'This is a test sale: no customer was looked up, and no commission is created.';
  const { identifier, resolvedBy, shortLink, partnerId } = attribution;
  const found = `Customer ${identifier} was found by ${resolvedBy}.`;
  if (partnerId === undefined) return `${found} The customer has no partner, so no commission was created.`;
  const came = `The first click came through link ${shortLink} of ${partner?.name ?? `partner ${partnerId}`}.`;
  if (commissionState === 'notDue') return `${found} ${came} No commission is due for this payment.`;
  if (commissionState === 'failed') return `${found} ${came} Its commission could not be created yet.`;
  return `${found} ${came}`;
}

const soldToReply = ({ customer, sale }: ExplainedSale): wire.ExplainedSale['customer'] =>
  customer
    ? customerFactsReply({ ...customer, customerKey: sale.attribution?.customerKey ?? customer.customerKey })
    : null;

/** The window as it was checked when the sale was recorded, with the program's setting of that moment. */
const windowReply = (window: WindowCheck | undefined): wire.ExplainedSale['window'] =>
  window
    ? {
        checked: true,
        reason: null,
        first_click_at: new Date(Date.parse(window.comparedAt) - window.ageMs).toISOString(),
        compared_with: window.comparedWith,
        compared_at: window.comparedAt,
        age_ms: window.ageMs,
        age_days: wholeDays(window.ageMs),
        window_days: window.windowDays,
        within: window.within,
      }
    : {
        checked: false,
        reason: 'conversion_already_recorded',
        first_click_at: null,
        compared_with: null,
        compared_at: null,
        age_ms: null,
        age_days: null,
        window_days: null,
        within: null,
      };
