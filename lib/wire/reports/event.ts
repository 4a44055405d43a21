import * as z from 'zod/mini';
import { clickQualities } from '#lib/service/traffic/clicks/click-quality.ts';
import { stepReasons } from '#lib/service/conversions/refunds/refunded-commission.ts';
import {
  about,
  balanceCents,
  cents,
  count,
  currency,
  flag,
  id,
  named,
  optionalId,
  optionalText,
  text,
  time,
} from '#lib/wire/words/fields.ts';

export const eventTypes = ['click', 'lead', 'sale', 'refund'] as const;
export const leadState = z.enum(['provisional', 'settled']);
export const leadMode = z.enum(['server', 'browser', 'processor']);
export const source = z.enum(['api', 'processor']);
export const PaymentStatus = named('PaymentStatus', z.enum(['paid', 'partially_refunded', 'refunded', 'disputed']));
export type PaymentStatus = z.output<typeof PaymentStatus>;

/** What a refund, dispute or correction has changed. */
export const refundFacts = {
  reason: about(
    'The amount is negative after a won dispute or a correction. `duplicate`: another sale records the same payment and counts instead.',
    z.enum(stepReasons),
  ),
  refund_reason: optionalText,
  amount_cents: balanceCents,
  refunded_amount_cents: cents,
  deduction_cents: balanceCents,
};
const RefundFacts = z.strictObject(refundFacts);
export type RefundFacts = z.output<typeof RefundFacts>;

const facts = {
  id,
  created_at: time,
  is_test: flag,
  keyed: flag,
  partner_id: optionalId,
  partner_name: optionalText,
  click_id: optionalText,
  customer_key: optionalText,
};
const EventFacts = z.strictObject(facts);
export type EventFacts = z.output<typeof EventFacts>;

export const TrackedClick = named(
  'TrackedClick',
  z.strictObject({
    type: z.literal('click'),
    ...facts,
    short_link: optionalText,
    page_url: optionalText,
    referrer_url: optionalText,
    first: flag,
    quality: about(
      'The first of bot, preview, paid_ad, repeat and ok that applies. Bots and previews are not counted as clicks.',
      z.enum(clickQualities),
    ),
  }),
);

export const TrackedLead = named(
  'TrackedLead',
  z.strictObject({
    type: z.literal('lead'),
    ...facts,
    state: z.nullable(leadState),
    mode: leadMode,
    event_name: optionalText,
    email_masked: optionalText,
  }),
);

export const TrackedSale = named(
  'TrackedSale',
  z.strictObject({
    type: z.literal('sale'),
    ...facts,
    transaction_id: text,
    amount_cents: cents,
    currency,
    source,
    occurred_at: time,
    is_recurring: flag,
    payment_status: PaymentStatus,
    refunded_amount_cents: cents,
    commission_id: optionalId,
    code: about("The program's coupon code that the payment carried.", optionalText),
    version: about('The number of changes of this row, including its creation.', count),
  }),
);

export const TrackedRefund = named(
  'TrackedRefund',
  z.strictObject({
    type: z.literal('refund'),
    ...facts,
    sale_id: id,
    transaction_id: text,
    ...refundFacts,
    currency: about('The currency of the sale.', currency),
  }),
);

/** One row of the tracking log. */
export const TrackedEvent = named(
  'Event',
  z.discriminatedUnion('type', [TrackedClick, TrackedLead, TrackedSale, TrackedRefund]),
  'A row of the tracking log. Unknown values are null.',
);
export type TrackedEvent = z.output<typeof TrackedEvent>;
