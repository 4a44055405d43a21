import * as z from 'zod/mini';
import { renewalWords } from '#lib/service/conversions/sales/sale.ts';
import { resolvedByWords } from '#lib/service/traffic/customers/sale-attribution.ts';
import { providers } from '#lib/service/ground/values/provider.ts';
import {
  about,
  balanceCents,
  cents,
  count,
  currency,
  flag,
  id,
  named,
  optionalText,
  text,
  time,
} from '#lib/wire/words/fields.ts';
import { CommissionStatus, SaleCommission } from '#lib/wire/earnings/commission.ts';
import { CustomerClick, CustomerFacts, CustomerLead, TimelineStep } from '#lib/wire/traffic/customer.ts';
import { PaymentStatus, refundFacts, source } from '#lib/wire/reports/event.ts';
import { TermsVersion } from '#lib/wire/programs/terms.ts';

export const Sale = named(
  'RecordedSale',
  z.strictObject({
    id,
    transaction_id: text,
    amount_cents: cents,
    tax_cents: about('The part of the amount that is tax. Null if it is not known.', z.nullable(cents)),
    base_cents: about(
      'The amount from which percentage commissions are computed: `amount_cents`, or that amount without its tax.',
      cents,
    ),
    currency,
    source,
    sale_type: z.enum(['payment', 'subscription']),
    is_recurring: about('Whether the service counts the payment as a renewal.', flag),
    renewal_by: about(
      'Why the payment is a renewal: the customer had paid before for the same `subscription_id`, for any subscription (`sale_type`) or for anything (`is_recurring`), or the `billing_reason` of the invoice says so. Null if the payment is not a renewal.',
      z.nullable(z.enum(renewalWords)),
    ),
    subscription_id: optionalText,
    provider: z.nullable(z.enum(providers)),
    provider_payment_id: optionalText,
    livemode: z.nullable(flag),
    is_test: flag,
    terms: about('Null for a test sale.', z.nullable(TermsVersion)),
    code: about("The program's coupon code that the payment carried.", optionalText),
    payment_status: PaymentStatus,
    refunded_amount_cents: cents,
    duplicate_of: about(
      'The transaction id of the sale that counts instead of this one, because an event showed that both record the same payment. This sale is then reversed with the reason `duplicate`. Otherwise null.',
      optionalText,
    ),
    occurred_at: time,
    created_at: time,
  }),
);

export const Refund = named('RecordedRefund', z.strictObject({ id, at: time, ...refundFacts }));

const resolvedBy = z.enum(resolvedByWords);

const Attribution = z.strictObject({
  resolved_by: z.nullable(resolvedBy),
  identifier: optionalText,
  partner: z.nullable(
    z.strictObject({
      id,
      name: optionalText,
      short_link: about('Null if a coupon code brought the customer.', optionalText),
    }),
  ),
  overruled: about(
    'Another partner with a claim to this sale, which did not count, and how the payment points to that partner: by coupon code or another identifier. `email`: the payer had bought before as another customer. Other identifiers: the payment names a click itself, or the e-mail address alone decided; the commission is then held for review, unless the rule `address_only` is off. Null if there was none.',
    z.nullable(z.strictObject({ partner: z.strictObject({ id, name: optionalText }), by: resolvedBy })),
  ),
  text,
});

/** The attribution window as it was checked when the sale was recorded. */
const AttributionWindow = z.discriminatedUnion('checked', [
  z.strictObject({
    checked: z.literal(true),
    reason: z.null(),
    first_click_at: time,
    compared_with: z.enum(['signup', 'payment']),
    compared_at: time,
    age_ms: z.int(),
    age_days: z.int(),
    window_days: count,
    within: flag,
  }),
  z.strictObject({
    checked: z.literal(false),
    reason: z.enum(['conversion_already_recorded', 'brought_by_code']),
    first_click_at: z.null(),
    compared_with: z.null(),
    compared_at: z.null(),
    age_ms: z.null(),
    age_days: z.null(),
    window_days: z.null(),
    within: z.null(),
  }),
]);

const AuditRow = z.strictObject({
  at: time,
  actor: z.string().check(z.regex(/^(api|processor|operator|account:\d+)$/)),
  action: about(
    '`unpaid`: the payout line that paid it failed or became void. `recalculated`: the tax of the sale became known, and the commission excludes it; or it became known what was sold in the month by which tiers go; or the customer of the payment became known; or an earlier payment became known, by which no commission is due for this one.',
    z.enum([
      'created',
      'released',
      'approved',
      'rejected',
      'reopened',
      'paid',
      'adjusted',
      'unpaid',
      'deducted',
      'reversed',
      'restored',
      'corrected',
      'recalculated',
    ]),
  ),
  from: z.nullable(CommissionStatus),
  to: CommissionStatus,
  amount_cents: balanceCents,
  reason: optionalText,
});

const TierSales = z.strictObject({
  month: about('`YYYY-MM`.', z.string().check(z.regex(/^\d{4}-\d{2}$/))),
  sales: z.int(),
  is_final: about(
    'False shortly after the end of a month, until all of its sales are counted. The rate may change until then.',
    flag,
  ),
});

/** Explains why this partner was credited with this sale. */
export const ExplainedSale = named(
  'ExplainedSale',
  z.strictObject({
    sale: Sale,
    attribution: Attribution,
    customer: z.nullable(CustomerFacts),
    clicks: z.array(CustomerClick),
    lead: z.nullable(CustomerLead),
    window: z.nullable(AttributionWindow),
    commission: z.nullable(SaleCommission),
    tiers: about(
      'The number of sales that selected the tier and so the rate. Null if no tiers applied.',
      z.nullable(TierSales),
    ),
    refunds: z.array(Refund),
    history: z.array(AuditRow),
    timeline: z.array(TimelineStep),
  }),
  'All values are those at the time the sale was recorded. A test sale has no customer and no commission.',
);
export type ExplainedSale = z.output<typeof ExplainedSale>;
