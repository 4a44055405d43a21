import type { Warning } from '#lib/apps/client/errors/referral-error.ts';
import type { WireRequest } from '#lib/apps/client/calls/transport.ts';

/** An event as Stripe sends it to your webhook. Its type and API version may be any. Verify its signature first. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  /** When the event was created, in Unix seconds. */
  readonly created: number;
  readonly data: { readonly object: object };
}

/** What the service did with an event; guides/stripe-outcomes.md explains each value. */
type StripeEventOutcome =
  | 'processed'
  | 'repeated'
  | 'other_type'
  | 'other_endpoint'
  | 'unattributed'
  | 'bot_click'
  | 'names_no_customer'
  | 'invoice_without_subscription'
  | 'misspelt_metadata'
  | 'other_program'
  | 'no_program'
  | 'sale_of_another_program'
  | 'click_after_payment'
  | 'attribution_window_expired'
  | 'no_partner_relation'
  | 'no_partner'
  | 'unsupported_currency'
  | 'not_paid'
  | 'nothing_paid'
  | 'amount_too_large'
  | 'no_payment'
  | 'no_id'
  | 'no_code'
  | 'nothing_to_link'
  | 'nothing_refunded'
  | 'nothing_disputed'
  | 'inquiry'
  | 'dispute_not_won'
  | 'no_payment_named'
  | 'too_many_reversals'
  | 'test_mode'
  | 'live_payment';

export interface RecordedStripeEvent {
  readonly success: true;
  readonly event_id: string;
  /** What the service did with the event. A newer service may return other values. */
  readonly outcome: StripeEventOutcome;
  readonly message: string;
  readonly warnings?: readonly Warning[];
}

export const stripeEventRequest = (event: StripeEvent): WireRequest => ({
  method: 'POST',
  path: '/api/v1/track/stripe',
  body: { ...event },
});

/**
 * Metadata for Stripe objects that identify the customer, so that payments can be attributed.
 *
 * @example
 * const metadata = stripeMetadata({ clickId, customerId: user.id });
 * await stripe.checkout.sessions.create({
 *   mode: 'subscription',
 *   metadata,
 *   // For subscriptions only: renewals carry the subscription's metadata, and Stripe does not copy the session's.
 *   subscription_data: { metadata },
 * });
 */
export function stripeMetadata(customer: {
  readonly clickId?: string | undefined;
  readonly customerId?: string | number | undefined;
}): Record<string, string> {
  const { clickId, customerId } = customer;
  return {
    ...(clickId !== undefined && { service_click_id: clickId }),
    ...(customerId !== undefined && { service_customer_key: String(customerId) }),
  };
}
