import * as z from 'zod/mini';
import { customerStatuses } from '#lib/domain/customer.ts';
import { clickId, flag, id, named, optionalId, optionalText, optionalTime, text, time } from '#lib/wire/fields.ts';
import { leadMode, leadState } from '#lib/wire/event.ts';

const facts = {
  click_id: clickId,
  customer_key: optionalText,
  status: z.enum(customerStatuses),
  lead_state: z.nullable(leadState),
  email_masked: optionalText,
  first_click_at: time,
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
  kind: z.enum(['click', 'lead', 'sale', 'refund', 'commission', 'customer']),
  text,
});

/** A customer in a list. */
export const Customer = named(
  'Customer',
  z.strictObject({ ...facts, partner_id: optionalId, partner_name: optionalText, short_link: text }),
);
export type Customer = z.output<typeof Customer>;

/** A customer and how it came to be one. */
export const CustomerHistory = named(
  'CustomerHistory',
  z.strictObject({
    customer: Customer,
    clicks: z.array(CustomerClick),
    lead: z.nullable(CustomerLead),
    timeline: z.array(TimelineStep),
  }),
);
export type CustomerHistory = z.output<typeof CustomerHistory>;

/** A customer that an owner unlinked: nothing new is attributed to it. */
export const UnlinkedCustomer = z.strictObject({
  click_id: clickId,
  unlinked: z.literal(true),
  unlinked_at: time,
  reason: text,
});
export type UnlinkedCustomer = z.output<typeof UnlinkedCustomer>;
