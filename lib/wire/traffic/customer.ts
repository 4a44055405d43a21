import * as z from 'zod/mini';
import { customerStatuses } from '#lib/service/traffic/customers/customer.ts';
import {
  about,
  balanceCents,
  byCurrency,
  cents,
  clickId,
  flag,
  id,
  named,
  optionalId,
  optionalText,
  optionalTime,
  text,
  time,
} from '#lib/wire/words/fields.ts';
import { leadMode, leadState } from '#lib/wire/reports/event.ts';

const facts = {
  click_id: clickId,
  customer_key: optionalText,
  status: z.enum(customerStatuses),
  lead_state: z.nullable(leadState),
  email_masked: optionalText,
  source: about(
    'How the customer was created. `code`: by a payment with a coupon code, without a click. `shared_click`: by a payment with the click of another customer.',
    z.enum(['click', 'code', 'shared_click']),
  ),
  code: about('The coupon code that attributed the customer to its partner.', optionalText),
  first_click_at: about('For a customer created by a coupon code: the time of that payment.', time),
  signup_at: optionalTime,
  first_purchase_at: optionalTime,
};

export const CustomerFacts = z.strictObject(facts);
export type CustomerFacts = z.output<typeof CustomerFacts>;

export const CustomerClick = z.strictObject({
  id,
  at: time,
  short_link: text,
  partner_id: optionalId,
  partner_name: optionalText,
  first: flag,
});
export type CustomerClick = z.output<typeof CustomerClick>;

export const CustomerLead = z.strictObject({ id, state: leadState, mode: leadMode, at: time });
export type CustomerLead = z.output<typeof CustomerLead>;

export const TimelineStep = z.strictObject({
  at: time,
  kind: z.enum(['click', 'lead', 'sale', 'refund', 'commission', 'customer', 'erasure']),
  text,
});

export const CustomerAmounts = z.strictObject({
  revenue_cents: cents,
  refunded_cents: balanceCents,
  commission_cents: balanceCents,
});
export type CustomerAmounts = z.output<typeof CustomerAmounts>;

/** A customer in a list. */
export const Customer = named(
  'Customer',
  z.strictObject({
    ...facts,
    partner_id: optionalId,
    partner_name: optionalText,
    short_link: about('The link of the first click. Null if there is none.', optionalText),
    amounts: byCurrency(CustomerAmounts),
  }),
  'Revenue is gross. The commission is net of deductions. Both are updated within seconds of a sale.',
);
export type Customer = z.output<typeof Customer>;

/** A customer that an owner unlinked: nothing new is attributed to it. */
export const UnlinkedCustomer = z.strictObject({
  click_id: clickId,
  unlinked: z.literal(true),
  unlinked_at: time,
  reason: text,
});
export type UnlinkedCustomer = z.output<typeof UnlinkedCustomer>;
