import type { Refund } from '#lib/apps/client/refund.ts';
import type { Sale } from '#lib/apps/client/sale.ts';
import { type Fields, fields, taxOfInvoice, taxOfSession } from '#lib/apps/client/stripe-tax.ts';

// For brands that host Stripe's webhook themselves. Nothing of Stripe's library is needed: its events are read as they
// are, in the shapes of API versions before 2025-03-31 and since.

/** As much of an event of Stripe's as is read. Verify its signature first. */
export interface StripeEvent {
  readonly type: string;
  /** False in Stripe's test mode. */
  readonly livemode?: boolean;
  readonly data: { readonly object: object };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
/** An id, or the object that it was expanded to. */
const idOf = (value: unknown): string | undefined => textOf(value) ?? textOf(fields(value).id);

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
 * @param customer.programId only where the service itself hears of the payments, from a connected Stripe account
 */
export function stripeMetadata(customer: {
  readonly clickId?: string | undefined;
  readonly customerId?: string | number | undefined;
  readonly programId?: string | number | undefined;
}): Record<string, string> {
  const { clickId, customerId, programId } = customer;
  return {
    ...(clickId !== undefined && { service_click_id: clickId }),
    ...(customerId !== undefined && { service_customer_key: String(customerId) }),
    ...(programId !== undefined && { program_id: String(programId) }),
  };
}

/**
 * The argument for {@link ReferralClient.trackSale} after an event: of `checkout.session.completed` and
 * `checkout.session.async_payment_succeeded` the first payment, of `invoice.paid` a subscription's renewal.
 * @param options.testPayments takes payments of Stripe's test mode too, which earn real commissions: for a service that
 *   you run to try things out. Default: false
 * @returns undefined for other events, payments of nothing or in Stripe's test mode, and payments whose metadata name no
 *   customer
 */
export function saleFromStripeEvent(
  { type, livemode, data }: StripeEvent,
  { testPayments = false }: { readonly testPayments?: boolean } = {},
): Sale | undefined {
  if (livemode === false && !testPayments) return undefined;
  const object = fields(data.object);
  // Unpaid: the customer chose a way to pay that takes days, and the other event follows.
  if (checkouts.has(type)) return object.payment_status === 'unpaid' ? undefined : firstPayment(object);
  return type === 'invoice.paid' && object.billing_reason === 'subscription_cycle' ? renewal(object) : undefined;
}

function firstPayment(session: Fields): Sale | undefined {
  const isSubscription = session.mode === 'subscription';
  return saleOf({
    invoiceId: transactionOf(session),
    amount: session.amount_total,
    tax: taxOfSession(session),
    currency: session.currency,
    metadata: session.metadata,
    more: isSubscription ? { saleType: 'subscription', ...subscription(session.subscription) } : {},
  });
}

function renewal(invoice: Fields): Sale | undefined {
  // Since API version 2025-03-31 below `parent`, before it at the top level.
  const details = fields(fields(invoice.parent).subscription_details);
  return saleOf({
    invoiceId: idOf(invoice.id),
    amount: invoice.amount_paid,
    tax: taxOfInvoice(invoice),
    currency: invoice.currency,
    metadata: details.metadata ?? fields(invoice.subscription_details).metadata,
    more: {
      saleType: 'subscription',
      isRecurring: true,
      ...subscription(details.subscription ?? invoice.subscription),
    },
  });
}

function subscription(value: unknown): Pick<Sale, 'subscriptionId'> {
  const id = idOf(value);
  return id === undefined ? {} : { subscriptionId: id };
}

function saleOf(payment: {
  readonly invoiceId: string | undefined;
  readonly amount: unknown;
  readonly tax: number | undefined;
  readonly currency: unknown;
  readonly metadata: unknown;
  readonly more: Partial<Sale>;
}): Sale | undefined {
  const { invoiceId, amount, tax, more } = payment;
  const { service_click_id: click, service_customer_key: key } = fields(payment.metadata);
  const [clickId, customerId, currency] = [textOf(click), textOf(key), textOf(payment.currency)];
  if (invoiceId === undefined || typeof amount !== 'number' || amount <= 0) return undefined;
  if (clickId === undefined && customerId === undefined) return undefined;
  return {
    ...(customerId !== undefined && { customerId }),
    ...(clickId !== undefined && { clickId }),
    amount,
    ...(tax !== undefined && { tax }),
    invoiceId,
    ...(currency !== undefined && { currency }),
    ...more,
  };
}

/** A checkout that makes an invoice is known by the invoice, as its refunds and renewals are; any other by itself. */
const transactionOf = (session: Fields): string | undefined => idOf(session.invoice) ?? idOf(session.id);

/** Which sale a payment intent of Stripe's paid: what a shop keeps to find the sale of a refund. */
export interface StripePayment {
  readonly paymentIntentId: string;
  readonly invoiceId: string;
  /** Whether it takes the place of what was kept before: a checkout knows its sale, an invoice may belong to one. */
  readonly replaces: boolean;
}

/**
 * What to keep after an event, so that refunds can be sent later: they carry the payment intent alone. Keep the
 * `invoiceId` by its `paymentIntentId`; where one is kept already, only if `replaces` is true.
 * @returns undefined for events that do not say. `invoice_payment.paid` says it of renewals since API version 2025-03-31
 */
export function paymentFromStripeEvent({ type, data }: StripeEvent): StripePayment | undefined {
  const object = fields(data.object);
  if (checkouts.has(type)) return paymentOf(object.payment_intent, transactionOf(object), true);
  if (type === 'invoice_payment.paid') {
    return paymentOf(fields(object.payment).payment_intent, idOf(object.invoice), false);
  }
  return type === 'invoice.paid' ? paymentOf(object.payment_intent, idOf(object.id), false) : undefined;
}

const checkouts: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
]);

function paymentOf(
  paymentIntent: unknown,
  invoiceId: string | undefined,
  replaces: boolean,
): StripePayment | undefined {
  const paymentIntentId = idOf(paymentIntent);
  if (paymentIntentId === undefined || invoiceId === undefined) return undefined;
  return { paymentIntentId, invoiceId, replaces };
}

/**
 * The argument for {@link ReferralClient.trackRefund} after `charge.refunded`, `charge.dispute.created` or
 * `charge.dispute.funds_withdrawn`. A dispute counts its own amount: where a part was refunded before and another part
 * is disputed, send their total yourself. A dispute that is won gives nothing back this way.
 * @param shop.invoiceIdOf the kept `invoiceId` of a payment intent, from {@link paymentFromStripeEvent}
 * @returns undefined for other events, and for payments that the shop knows nothing of
 */
export async function refundFromStripeEvent(
  { type, data }: StripeEvent,
  shop: { readonly invoiceIdOf: (paymentIntentId: string) => Told | Promise<Told> },
): Promise<Refund | undefined> {
  const object = fields(data.object);
  const taken = takenBack(type, object);
  if (taken === undefined) return undefined;
  const paymentIntentId = idOf(object.payment_intent);
  const kept = paymentIntentId === undefined ? undefined : await shop.invoiceIdOf(paymentIntentId);
  // Before API version 2025-03-31 the charge itself names its invoice.
  const invoiceId = kept ?? idOf(object.invoice);
  return invoiceId === undefined ? undefined : { invoiceId, ...taken };
}

type Told = string | null | undefined;

function takenBack(type: string, object: Fields): Omit<Refund, 'invoiceId'> | undefined {
  if (type === 'charge.refunded') return amountTaken(object.amount_refunded, 'refund');
  const isOpened =
    type === 'charge.dispute.funds_withdrawn' ||
    // A bank that only asks has taken no money yet.
    (type === 'charge.dispute.created' && textOf(object.status)?.startsWith('warning_') !== true);
  return isOpened ? amountTaken(object.amount, 'chargeback') : undefined;
}

const amountTaken = (amount: unknown, reason: 'refund' | 'chargeback') =>
  typeof amount === 'number' && amount > 0 ? { refundAmountCents: amount, reason } : undefined;
