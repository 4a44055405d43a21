import type { EventOutcome } from '#lib/domain/event-outcomes.ts';
import type { Warning } from '#lib/apps/client/referral-error.ts';
import type { WireRequest } from '#lib/apps/client/transport.ts';

/** An event as Stripe sends it to webhooks, of any type and API version. Verify its signature first. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  /** Unix seconds. */
  readonly created: number;
  readonly data: { readonly object: object };
}

export interface RecordedStripeEvent {
  readonly success: true;
  readonly event_id: string;
  /**
   * `processed`, or why the event changed nothing, such as `repeated`, `unattributed` (a payment of somebody whom no
   * partner brought) and `other_type`. The README says of each what to do. A newer service may answer others.
   */
  readonly outcome: EventOutcome;
  readonly message: string;
  readonly warnings?: readonly Warning[];
}

export const stripeEventRequest = (event: StripeEvent): WireRequest => ({
  method: 'POST',
  path: '/api/v1/track/stripe',
  body: { ...event },
});

/**
 * Names the customer in Stripe's metadata, by which payments are attributed.
 *
 * @example
 * const metadata = stripeMetadata({ clickId, customerId: user.id });
 * await stripe.checkout.sessions.create({
 *   mode: 'subscription',
 *   metadata,
 *   // Subscriptions only. Stripe copies neither to the other, and renewals have the subscription's.
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
