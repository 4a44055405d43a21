import * as z from 'zod/mini';
import { providers } from '#lib/domain/sale.ts';
import {
  balanceCents,
  cents,
  clickId,
  count,
  currency,
  flag,
  id,
  named,
  optionalId,
  optionalText,
  optionalTime,
  text,
  time,
} from '#lib/wire/fields.ts';
import { commission, commissionStatus } from '#lib/wire/commission.ts';
import { leadMode, leadState, paymentStatus, refundFacts, source } from '#lib/wire/event.ts';

const sale = z.strictObject({
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
  payment_status: paymentStatus,
  refunded_amount_cents: cents,
  occurred_at: time,
  created_at: time,
});

const attribution = z.strictObject({
  resolved_by: z.nullable(z.enum(['click_id', 'email', 'processor_customer', 'customer_key'])),
  identifier: optionalText,
  partner: z.nullable(z.strictObject({ id, name: optionalText, short_link: text })),
  text,
});

const customer = z.strictObject({
  click_id: clickId,
  customer_key: optionalText,
  status: z.enum(['click', 'lead', 'conversion']),
  lead_state: z.nullable(leadState),
  email_masked: optionalText,
  first_click_at: time,
  signup_at: optionalTime,
  first_purchase_at: optionalTime,
});

const click = z.strictObject({
  id,
  at: time,
  short_link: text,
  partner_id: optionalId,
  partner_name: optionalText,
  first: flag,
});

/** The window as it was checked when the sale was recorded. */
const window = z.discriminatedUnion('checked', [
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

const auditRow = z.strictObject({
  at: time,
  actor: z.string().check(z.regex(/^(api|processor|operator|account:\d+)$/)),
  action: z.enum(['created', 'approved', 'rejected', 'paid', 'adjusted', 'deducted', 'reversed', 'restored']),
  from: z.nullable(commissionStatus),
  to: commissionStatus,
  amount_cents: balanceCents,
  reason: optionalText,
});

/** Why this partner got this sale (contract 15.5). */
export const explainedSale = named(
  'ExplainedSale',
  z.strictObject({
    sale,
    attribution,
    customer: z.nullable(customer),
    clicks: z.array(click),
    lead: z.nullable(z.strictObject({ id, state: leadState, mode: leadMode, at: time })),
    window: z.nullable(window),
    commission: z.nullable(commission),
    refunds: z.array(z.strictObject({ id, at: time, ...refundFacts })),
    history: z.array(auditRow),
    timeline: z.array(
      z.strictObject({ at: time, kind: z.enum(['click', 'lead', 'sale', 'refund', 'commission', 'customer']), text }),
    ),
  }),
  'All values are those used when the sale was recorded. A test sale has no customer and no commission.',
);

/** A customer that nothing new can mean. */
export const unlinkedCustomer = z.strictObject({
  click_id: clickId,
  unlinked: z.literal(true),
  unlinked_at: time,
  reason: text,
});
