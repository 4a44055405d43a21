/**
 * The beginnings of the service's documented messages, and a stable word for each. Errors of clicks and leads have no
 * code, so callers would otherwise have to compare messages. If several match, the first is used.
 */
const texts = [
  // Messages of a click.
  ['affiliate_url is required', 'affiliate_url_missing'],
  ['Invalid affiliate_url', 'affiliate_url_invalid'],
  ['No aff parameter found in affiliate_url', 'aff_parameter_missing'],
  ['Referral link not found', 'link_not_found'],
  ['Invalid referral link configuration', 'link_misconfigured'],
  ['Referral link is inactive', 'link_disabled'],
  // Messages of a lead.
  ['click_id or customer_key is required', 'identifier_missing'],
  ['Customer not found. Provide a valid click_id or customer_key.', 'customer_not_found'],
  ['Customer does not belong to this program', 'customer_of_other_program'],
  ['Customer status cannot be updated to lead.', 'customer_past_lead'],
  // Messages of a sale.
  ['transaction_id is required and must be a string', 'transaction_id_invalid'],
  ['amount_cents is required and must be a positive integer', 'amount_invalid'],
  ['tax_cents must be', 'tax_invalid'],
  ['occurred_at must be', 'occurred_at_invalid'],
  ['provider must be', 'provider_invalid'],
  ['provider_payment_id must be', 'provider_payment_id_invalid'],
  ['livemode must be', 'livemode_invalid'],
  ['No affiliate attribution found for this customer in this program', 'customer_of_other_program'],
  ['No partner-program relationship found for this customer', 'partner_removed'],
  ['partnerId required to create commission', 'partner_missing'],
  ['Failed to create commission', 'commission_not_created'],
  // Messages of a refund.
  ['transaction_id is required', 'transaction_id_missing'],
  ['reason must be refund or chargeback', 'refund_reason_invalid'],
  ['refund_amount_cents must be', 'refund_amount_invalid'],
  ['refund_id must be', 'refund_id_invalid'],
  ['refund_id needs refund_amount_cents', 'refund_amount_missing'],
  ['refund_id ', 'refund_recorded_otherwise'],
  ['correction must be', 'correction_invalid'],
  ['correction needs refund_amount_cents', 'refund_amount_missing'],
  ['Sale not found for transaction_id', 'sale_not_found'],
  // Messages of a forwarded Stripe event.
  ['Body must be a whole Stripe event', 'event_incomplete'],
  // Messages of any of these calls.
  ['Unknown field', 'unknown_field'],
  ['program_id does not match the API key', 'program_mismatch'],
  ['Invalid JSON body', 'body_invalid'],
  ['Request body too large', 'body_too_large'],
  ['Missing or malformed Authorization header.', 'key_malformed'],
  ['Missing API token', 'key_missing'],
  ['Invalid API token', 'key_unknown'],
] as const;

/** Codes of the service that say the reason precisely, so they are used as reasons unchanged. */
const codes = [
  'link_disabled',
  'duplicate_transaction',
  'unsupported_currency',
  'rate_limited',
  'api_key_rotation_required',
  'network_error',
  'internal_error',
] as const;

/** Why a call failed, as a word that does not change when messages change. */
export type Reason = (typeof texts)[number][1] | (typeof codes)[number];

// The service sends this message both if a sale has no identifiers and if it has unknown ones; only the code differs.
const SALE_CUSTOMER_NOT_FOUND = 'Customer not found. Provide customer_key or click_id.';

/** The reason of a failed call, as a stable word. @returns undefined for an undocumented message */
export function reasonOf({ message, code }: { readonly message: string; readonly code?: string | undefined }) {
  if (message === SALE_CUSTOMER_NOT_FOUND)
    return code === 'no_attribution' ? 'customer_not_found' : 'identifier_missing';
  const documented: Reason | undefined = texts.find(([text]) => message.startsWith(text))?.[1];
  return documented ?? codes.find((known) => known === code);
}

const uncreditedReasons: ReadonlySet<Reason | undefined> = new Set([
  'customer_not_found',
  'customer_of_other_program',
  'partner_removed',
  'partner_missing',
]);

/**
 * Whether a call failed only because no partner can be credited: no partner referred the customer, or the partner was
 * removed. This is common, it is not a mistake in the call, and no action is needed. With `partner_missing` the sale is
 * stored without a commission; with the other reasons nothing is stored.
 */
export const isUncredited = ({ reason }: { readonly reason: Reason | undefined }): boolean =>
  uncreditedReasons.has(reason);
