import { type FieldNames, fieldNames } from '#lib/service/ground/values/close-names.ts';

// The known fields of the tracking calls. A sale, a refund, or a lead with the program's key is refused when a field's
// name is close to one of them, because ignoring the field would change the recorded data.

/** Fields of a click, including those of test events and of a brand's additional data. */
export const clickFields = [
  'affiliate_url',
  'existing_click_id',
  'click_id',
  'page_url',
  'page_title',
  'referrer_url',
  'session_id',
  'user_agent',
  'screen_resolution',
  'viewport_size',
  'language',
  'timezone',
  'program_id',
  'additional_data',
] as const;

export const leadFields = [
  'click_id',
  'customer_key',
  'email',
  'email_verified',
  'event_name',
  'program_id',
  'click_ids',
  'page_url',
  'session_id',
  'additional_data',
] as const;

export const saleFields = [
  'transaction_id',
  'amount_cents',
  'tax_cents',
  'currency',
  'customer_key',
  'click_id',
  'coupon_code',
  'occurred_at',
  'provider',
  'provider_payment_id',
  'livemode',
  'sale_type',
  'is_recurring',
  'subscription_id',
  'subscription_interval',
  'product_id',
  'event_name',
  'line_items',
  'additional_data',
] as const;

export const refundFields = [
  'transaction_id',
  'reason',
  'refund_reason',
  'refund_amount_cents',
  'refund_id',
  'correction',
] as const;

/** Known fields of `additional_data`. Brands may also send other fields in it. */
export const additionalFields = { lead: ['test_mode', 'program_id', 'event_name'], sale: ['test_mode', 'program_id'] };

/** Names that similar services use for these fields. */
const otherNames = {
  amount: 'amount_cents',
  tax: 'tax_cents',
  coupon: 'coupon_code',
  customer_id: 'customer_key',
  invoice_id: 'transaction_id',
  recurring: 'is_recurring',
};

const otherNamesOfRefund = Object.fromEntries(
  ['amount', 'amount_cents', 'refund_amount', 'amount_refunded'].map((name) => [name, 'refund_amount_cents']),
);

/** The alternative names of those fields that the call has. */
const othersOf = (fields: readonly string[]) =>
  Object.fromEntries(Object.entries(otherNames).filter(([, field]) => fields.includes(field)));

const all = [...clickFields, ...leadFields, ...saleFields, ...refundFields];

/** The known fields of one call, at the top level and within `additional_data`. */
export interface CheckedNames {
  readonly fields: FieldNames;
  readonly additional?: FieldNames;
}

export const leadNames: CheckedNames = {
  fields: fieldNames(leadFields, othersOf(leadFields), all),
  additional: fieldNames(additionalFields.lead),
};
export const saleNames: CheckedNames = {
  fields: fieldNames(saleFields, othersOf(saleFields), all),
  additional: fieldNames(additionalFields.sale),
};
export const refundNames: CheckedNames = {
  fields: fieldNames(refundFields, { ...othersOf(refundFields), ...otherNamesOfRefund }, all),
};
