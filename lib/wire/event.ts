import * as z from 'zod/mini';
import {
  balanceCents,
  cents,
  currency,
  flag,
  id,
  named,
  optionalId,
  optionalText,
  text,
  time,
} from '#lib/wire/fields.ts';

export const eventTypes = ['click', 'lead', 'sale', 'refund'] as const;
export const leadState = z.enum(['provisional', 'settled']);
export const leadMode = z.enum(['server', 'browser', 'processor']);
export const paymentStatus = named('PaymentStatus', z.enum(['paid', 'partially_refunded', 'refunded', 'disputed']));
export const source = z.enum(['api', 'processor']);

/** What a step of taking a sale back did. */
export const refundFacts = {
  reason: z.enum(['refund', 'chargeback', 'dispute_won']),
  refund_reason: optionalText,
  amount_cents: balanceCents,
  refunded_amount_cents: cents,
  deduction_cents: balanceCents,
};

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

/** One row of the tracking log (contract 15.5). */
export const event = named(
  'Event',
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('click'),
      ...facts,
      short_link: optionalText,
      page_url: optionalText,
      referrer_url: optionalText,
      first: flag,
    }),
    z.strictObject({
      type: z.literal('lead'),
      ...facts,
      state: z.nullable(leadState),
      mode: leadMode,
      event_name: optionalText,
      email_masked: optionalText,
    }),
    z.strictObject({
      type: z.literal('sale'),
      ...facts,
      transaction_id: text,
      amount_cents: cents,
      currency,
      source,
      occurred_at: time,
      is_recurring: flag,
      payment_status: paymentStatus,
      refunded_amount_cents: cents,
      commission_id: optionalId,
    }),
    z.strictObject({ type: z.literal('refund'), ...facts, sale_id: id, transaction_id: text, ...refundFacts }),
  ]),
  'A row of the tracking log. What is unknown is null.',
);
