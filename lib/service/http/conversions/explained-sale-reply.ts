import { wholeDays } from '#lib/service/traffic/customers/attribution-window.ts';
import { awaitsMonth, type SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { baseCentsOf } from '#lib/service/programs/terms/commission-base.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { paymentStatusOf } from '#lib/service/conversions/payments/payment-status.ts';
import type { ResolvedBy, SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';
import { type RecordedRefund, sharedClickText, timelineOf } from '#lib/service/reports/stories/timeline.ts';
import { overruledClaimText } from '#lib/service/earnings/commissions/overruled-claim.ts';
import { saleCommissionReply } from '#lib/service/http/earnings/commission-reply.ts';
import { clickReply, customerFactsReply, leadReply } from '#lib/service/http/traffic/customer-reply.ts';
import { refundFacts } from '#lib/service/http/reports/event-reply.ts';
import { termsVersionReply } from '#lib/service/http/programs/terms-reply.ts';
import type { ExplainedSale } from '#lib/service/reports/stories/explain-sale.ts';
import type * as wire from '#lib/wire/conversions/explained-sale.ts';

/** Explains why this partner was credited with this sale. */
export const explainedSaleReply = (explained: ExplainedSale): wire.ExplainedSale => ({
  sale: recordedSaleReply(explained),
  attribution: attributionReply(explained),
  customer: soldToReply(explained),
  clicks: explained.clicks.map(clickReply),
  lead: explained.lead ? leadReply(explained.lead) : null,
  window: explained.sale.attribution ? windowReply(explained.sale.attribution) : null,
  commission: explained.commission ? saleCommissionReply(explained.commission, explained.partner) : null,
  tiers: tiersReply(explained.commission),
  refunds: explained.refunds.map(refundReply),
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

const tiersReply = (commission: SaleCommission | undefined): wire.ExplainedSale['tiers'] =>
  commission?.tierSales
    ? {
        month: commission.tierSales.month,
        sales: commission.tierSales.sales,
        // A rejected commission counts as final. The month's final number of sales has no effect on it unless it is
        // reopened.
        is_final: !awaitsMonth(commission) || commission.status === 'rejected',
      }
    : null;

/**
 * The recorded sale within its explanation.
 * @param partner the sale's partner, whose name is shown if the terms are personal
 */
export const recordedSaleReply = ({
  sale,
  partner,
}: Pick<ExplainedSale, 'sale' | 'partner'>): wire.ExplainedSale['sale'] => ({
  id: sale.id,
  transaction_id: sale.transactionId,
  amount_cents: sale.amountCents,
  tax_cents: sale.taxCents ?? null,
  base_cents: baseCentsOf(sale),
  currency: sale.currency,
  source: sale.source,
  sale_type: sale.saleType,
  is_recurring: sale.isRecurring,
  renewal_by: sale.renewalBy ?? null,
  subscription_id: sale.subscriptionId ?? null,
  provider: sale.provider ?? null,
  provider_payment_id: sale.providerPaymentId ?? null,
  livemode: sale.livemode ?? null,
  is_test: sale.isTest ?? false,
  terms: sale.termsVersion ? termsVersionReply(sale.termsVersion, partner) : null,
  code: sale.code ?? null,
  payment_status: paymentStatusOf(sale),
  refunded_amount_cents: sale.refundedCents,
  duplicate_of: sale.duplicateOf ?? null,
  occurred_at: sale.occurredAt,
  created_at: sale.createdAt,
});

export const refundReply = (refund: RecordedRefund): wire.ExplainedSale['refunds'][number] => ({
  id: refund.id,
  at: refund.createdAt,
  ...refundFacts(refund),
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
            short_link: attribution.shortLink ?? null,
          },
    overruled: attribution?.overruled
      ? {
          partner: { id: attribution.overruled.partnerId, name: explained.overruled?.name ?? null },
          by: attribution.overruled.by,
        }
      : null,
    text: attributionText(explained),
  };
}

const attributionText = (explained: ExplainedSale): string =>
  [
    foundText(explained),
    ...sharedText(explained),
    ...overruledText(explained),
    ...movedKeyText(explained),
    ...unlinkedText(explained),
  ].join(' ');

const sharedText = ({ customer }: ExplainedSale): string[] =>
  customer?.sharedClick ? [sharedClickText(customer.sharedClick)] : [];

const movedKeyText = ({ sale: { attribution } }: ExplainedSale): string[] =>
  attribution?.keyTakenFrom === undefined
    ? []
    : [
        `This sale moved the customer key here from click ${attribution.keyTakenFrom}, for which only a browser had claimed it.`,
      ];

function unlinkedText({ customer }: ExplainedSale): string[] {
  const { unlinkedAt, movedTo } = customer ?? {};
  if (unlinkedAt === undefined) return [];
  const on = unlinkedAt.slice(0, 10);
  return movedTo === undefined
    ? [`An owner unlinked the customer on ${on}: later sales find nobody until the person comes through a link again.`]
    : [`A payment told on ${on} that the customer is ${movedTo}, who has the later sales.`];
}

function foundText({ sale, partner }: ExplainedSale): string {
  const { attribution, commissionState } = sale;
  if (!attribution) return 'This is a test sale: no customer was looked up, and no commission is created.';
  const { identifier, resolvedBy, shortLink, partnerId } = attribution;
  const found =
    resolvedBy === 'code' ? `Found by code ${identifier}.` : `Customer ${identifier} was found by ${resolvedBy}.`;
  if (partnerId === undefined) return `${found} The customer has no partner, so no commission was created.`;
  const name = nameOf(partner, partnerId);
  const came =
    shortLink === undefined
      ? `${resolvedBy === 'code' ? 'It is a code' : 'The customer came by a code'} of ${name}.`
      : `The first click came through link ${shortLink} of ${name}.`;
  if (commissionState === 'notDue') return `${found} ${came} No commission is due for this payment.`;
  if (commissionState === 'failed') return `${found} ${came} Its commission could not be created yet.`;
  return `${found} ${came}`;
}

const nameOf = (partner: Partner | undefined, partnerId: number): string => partner?.name ?? `partner ${partnerId}`;

const claims: Readonly<Record<Exclude<ResolvedBy, 'code'>, string>> = {
  click_id: 'a click',
  email: 'the e-mail address',
  processor_customer: 'an earlier payment',
  customer_key: 'the customer key',
};

/** Explains why a partner to whom another identifier or code pointed did not get the sale. Empty if there was none. */
function overruledText({ sale: { attribution }, overruled }: ExplainedSale): string[] {
  if (!attribution?.overruled) return [];
  const { by, partnerId } = attribution.overruled;
  const name = nameOf(overruled, partnerId);
  const claim = overruledClaimText(attribution, overruled);
  if (claim !== undefined) return [`${claim}.`];
  if (attribution.overruled.isLate && by !== 'code') {
    return [
      `Another event of the payment named ${claims[by]} of ${name}, when the commission was paid or rejected already: the sale stayed.`,
    ];
  }
  return by === 'code'
    ? [`The payment also carried a code of ${name}, which did not count: the customer was another partner’s already.`]
    : [`Without the code, ${name} would have got the sale, by ${claims[by]}.`];
}

const soldToReply = ({ customer, sale }: ExplainedSale): wire.ExplainedSale['customer'] =>
  customer
    ? customerFactsReply({ ...customer, customerKey: sale.attribution?.customerKey ?? customer.customerKey })
    : null;

/** The result of the attribution window check when the sale was recorded, with the program's setting at that time. */
const windowReply = ({ window, broughtByCode }: SaleAttribution): wire.ExplainedSale['window'] =>
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
        reason: broughtByCode ? 'brought_by_code' : 'conversion_already_recorded',
        first_click_at: null,
        compared_with: null,
        compared_at: null,
        age_ms: null,
        age_days: null,
        window_days: null,
        within: null,
      };
