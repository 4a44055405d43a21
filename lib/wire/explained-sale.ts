import * as z from 'zod/mini';
import { providers } from '#lib/domain/sale.ts';
import { balanceCents, cents, count, currency, flag, id, named, optionalText, text, time } from '#lib/wire/fields.ts';
import { Commission, CommissionStatus } from '#lib/wire/commission.ts';
import { CustomerClick, CustomerFacts, CustomerLead, TimelineStep } from '#lib/wire/customer.ts';
import { PaymentStatus, refundFacts, source } from '#lib/wire/event.ts';

const Sale = z.strictObject({
  id,
  transaction_id: text,
  amount_cents: cents,
  currency,
  source,
  sale_type: z.enum(['payment', 'subscription']),
  is_recurring: flag,
  subscription_id: optionalText,
  provider: z.nullable(z.enum(providers)),
  provider_payment_id: optionalText,
  livemode: z.nullable(flag),
  is_test: flag,
  payment_status: PaymentStatus,
  refunded_amount_cents: cents,
  occurred_at: time,
  created_at: time,
});

const Attribution = z.strictObject({
  resolved_by: z.nullable(z.enum(['click_id', 'email', 'processor_customer', 'customer_key'])),
  identifier: optionalText,
  partner: z.nullable(z.strictObject({ id, name: optionalText, short_link: text })),
  text,
});

/** The window as it was checked when the sale was recorded. */
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
    reason: z.literal('conversion_already_recorded'),
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
  action: z.enum(['created', 'approved', 'rejected', 'paid', 'adjusted', 'deducted', 'reversed', 'restored']),
  from: z.nullable(CommissionStatus),
  to: CommissionStatus,
  amount_cents: balanceCents,
  reason: optionalText,
});

/** Why this partner got this sale. */
export const ExplainedSale = named(
  'ExplainedSale',
  z.strictObject({
    sale: Sale,
    attribution: Attribution,
    customer: z.nullable(CustomerFacts),
    clicks: z.array(CustomerClick),
    lead: z.nullable(CustomerLead),
    window: z.nullable(AttributionWindow),
    commission: z.nullable(Commission),
    refunds: z.array(z.strictObject({ id, at: time, ...refundFacts })),
    history: z.array(AuditRow),
    timeline: z.array(TimelineStep),
  }),
  'All values are those used when the sale was recorded. A test sale has no customer and no commission.',
);
export type ExplainedSale = z.output<typeof ExplainedSale>;
