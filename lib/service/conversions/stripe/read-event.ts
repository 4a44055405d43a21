import type { UnprocessedReason } from '#lib/service/conversions/processors/event-outcomes.ts';
import { isCode } from '#lib/service/programs/links/code.ts';
import { emailOf } from '#lib/service/ground/addresses/email.ts';
import { clickIdOf } from '#lib/service/ground/values/identifier.ts';
import { MOST_CENTS } from '#lib/service/ground/values/money.ts';
import type {
  ProcessorEvent,
  ProcessorPayment,
  ProcessorReport,
} from '#lib/service/conversions/processors/processor-event.ts';
import { amountOf, chargedBy, currencyOf, refundedOf, takenOf } from '#lib/service/conversions/stripe/amount.ts';
import { type Fields, fields, idOf, idsOf, list, secondsOf } from '#lib/service/conversions/stripe/event-fields.ts';
import { taxOfInvoice, taxOfSession } from '#lib/service/conversions/stripe/tax.ts';
import { metadataOf, namesCustomer, namesItself } from '#lib/service/conversions/stripe/metadata.ts';
import { discountsOf, invoiceDiscounts } from '#lib/service/conversions/stripe/discounts.ts';

const ignored = (reason: UnprocessedReason): ProcessorReport => ({ kind: 'ignored', reason });

type Reader = (object: Fields, at: Date) => ProcessorReport;

/** The processed event types. All others are ignored. */
const readers: Readonly<Record<string, Reader>> = {
  'checkout.session.completed': (session, at) =>
    // Stripe requires no payment if a discount covers the whole price.
    session.payment_status === 'paid' || session.payment_status === 'no_payment_required'
      ? checkout(session, at)
      : linkOnly('not_paid', sessionIds(session), idOf(session.payment_intent)),
  'checkout.session.async_payment_succeeded': checkout,
  'payment_intent.succeeded': succeededIntent,
  'invoice.payment_succeeded': invoice,
  'invoice.paid': invoice,
  'invoice_payment.paid': invoicePayment,
  'promotion_code.created': promotionCode,
  'promotion_code.updated': promotionCode,
  'customer.discount.created': customerDiscount,
  'charge.refunded': chargeRefunded,
  'charge.dispute.created': (dispute) =>
    isInquiry(dispute) ? ignored('inquiry') : disputeReport('disputeOpened', dispute),
  'charge.dispute.funds_withdrawn': (dispute) => disputeReport('disputeOpened', dispute),
  'charge.dispute.closed': (dispute) =>
    dispute.status === 'won' ? disputeReport('disputeWon', dispute) : ignored('dispute_not_won'),
  'charge.dispute.funds_reinstated': (dispute) => disputeReport('disputeWon', dispute),
  'account.updated': (account, at) => ({
    kind: 'accountChanged',
    at,
    flags: {
      chargesEnabled: account.charges_enabled === true,
      payoutsEnabled: account.payouts_enabled === true,
      detailsSubmitted: account.details_submitted === true,
    },
  }),
  'account.application.deauthorized': (_, at) => ({ kind: 'accountGone', at }),
};

/** Converts a Stripe event to a processor event. Undefined if it is not an event. @param event verified JSON */
export function readEvent(event: Fields): ProcessorEvent | undefined {
  const id = idOf(event.id);
  const { type } = event;
  const at = secondsOf(event.created);
  if (id === undefined || typeof type !== 'string' || at === undefined) return undefined;
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  return {
    id,
    type,
    accountId: idOf(event.account),
    isLive: event.livemode !== false,
    report: read?.(fields(fields(event.data).object), at) ?? ignored('other_type'),
  };
}

function checkout(session: Fields, at: Date): ProcessorReport {
  const id = idOf(session.id);
  const invoiceId = idOf(session.invoice);
  const isSubscription = session.mode === 'subscription';
  if (session.mode !== 'payment' && !isSubscription) return ignored('no_payment');
  return payment({
    transactionId: isSubscription ? (invoiceId ?? id) : id,
    amountCents: amountOf(session, 'amount_total'),
    taxCents: taxOfSession(session),
    currency: currencyOf(session),
    paidAt: at,
    order: isSubscription ? 'first' : 'single',
    settlesLead: !isSubscription,
    references: sessionIds(session),
    paymentIntentId: idOf(session.payment_intent),
    subscriptionId: idOf(session.subscription),
    discounts: discountsOf(list(session.discounts)),
    ...metadataOf(session.metadata, {
      // Payment Links, pricing tables and buy buttons accept no metadata from the page, only this field.
      clickId: clickIdOf(session.client_reference_id),
      email: emailOf(fields(session.customer_details).email) ?? emailOf(session.customer_email),
      processorCustomerId: idOf(session.customer),
    }),
  });
}

const sessionIds = (session: Fields): readonly string[] =>
  idsOf(session.id, session.payment_intent, latestCharge(session.payment_intent), session.invoice);

const latestCharge = (paymentIntent: unknown): unknown => fields(paymentIntent).latest_charge;

/**
 * Reads a payment of the brand's own checkout. Payment intents that Stripe itself creates for a session or an invoice
 * have no metadata that identify a customer, so they are not counted a second time.
 */
function succeededIntent(object: Fields, at: Date): ProcessorReport {
  const id = idOf(object.id);
  const named = metadataOf(object.metadata, {
    email: emailOf(object.receipt_email),
    processorCustomerId: idOf(object.customer),
  });
  // Before API version 2022-11-15 a payment intent contains its charges, before 2025-03-31 its invoice.
  const charges = list(fields(object.charges).data);
  const references = idsOf(id, object.latest_charge, ...charges, object.invoice);
  if (!namesCustomer(named)) return linkOnly('names_no_customer', references, id);
  return countingIfNamed('names_no_customer', {
    transactionId: id,
    amountCents: amountOf(object, 'amount_received'),
    currency: currencyOf(object),
    paidAt: at,
    order: 'single',
    settlesLead: true,
    references,
    paymentIntentId: id,
    ...named,
  });
}

function invoice(object: Fields, at: Date): ProcessorReport {
  // Since API version 2025-03-31 the subscription is below `parent`, before that at the top level.
  const details = fields(fields(object.parent).subscription_details);
  const subscriptionId = idOf(details.subscription) ?? idOf(object.subscription);
  const isSingle = subscriptionId === undefined;
  const metadata = isSingle ? object.metadata : (details.metadata ?? fields(object.subscription_details).metadata);
  const named = metadataOf(metadata, {
    email: emailOf(object.customer_email),
    processorCustomerId: idOf(object.customer),
  });
  const id = idOf(object.id);
  const payments = list(fields(object.payments).data).map((each) => fields(each.payment));
  const intents = [object.payment_intent, ...payments.map((each) => each.payment_intent)];
  const references = idsOf(id, object.charge, ...intents, ...payments.map((each) => each.charge));
  const paymentIntentId = idsOf(...intents)[0];
  // A checkout may also create an invoice for a single payment.
  if (isSingle && !namesCustomer(named)) {
    return linkOnly('invoice_without_subscription', references, paymentIntentId);
  }
  const asPayment = isSingle ? (one: ReadPayment) => countingIfNamed('invoice_without_subscription', one) : payment;
  return asPayment({
    transactionId: id,
    amountCents: amountOf(object, 'amount_paid'),
    taxCents: taxOfInvoice(object),
    currency: currencyOf(object),
    paidAt: secondsOf(fields(object.status_transitions).paid_at) ?? at,
    order: isSingle ? 'single' : orderOf(object),
    settlesLead: true,
    references,
    // Before API version 2025-03-31 an invoice has the field `payment_intent` even if no payment intent was needed to
    // pay it.
    awaitsIntent: (isSingle && references.length === 1 && !Object.hasOwn(object, 'payment_intent')) || undefined,
    paymentIntentId,
    subscriptionId,
    discounts: discountsOf(invoiceDiscounts(object)),
    ...named,
  });
}

const orderOf = (invoiceOfSubscription: Fields) =>
  invoiceOfSubscription.billing_reason === 'subscription_create' ? 'first' : 'later';

type ReadPayment = Omit<ProcessorPayment, 'transactionId'> & { readonly transactionId?: string };

/** Reads a payment that is recorded only if its own metadata identify a customer. Otherwise it is ignored. */
function countingIfNamed(reason: UnprocessedReason, read: ReadPayment): ProcessorReport {
  const report = payment(read);
  if (report.kind !== 'payment' || namesItself(read.payer)) return report;
  return { kind: 'ignored', reason, misspelt: report.payment };
}

function payment({ transactionId, ...rest }: ReadPayment): ProcessorReport {
  if (transactionId === undefined) return ignored('no_id');
  const isDiscounted = rest.amountCents === 0 && rest.discounts !== undefined;
  if (rest.amountCents <= 0 && !isDiscounted) return ignored('nothing_paid');
  if (rest.amountCents > MOST_CENTS) return ignored('amount_too_large');
  return { kind: 'payment', payment: { transactionId, ...rest } };
}

/**
 * The report for an event that is not recorded as a payment: another event reports the same payment, or the payment has
 * no customer. The payment's ids are only linked, so that a refund finds the sale if the brand's server sends it.
 */
const linkOnly = (
  reason: UnprocessedReason,
  references: readonly string[],
  paymentIntentId?: string,
): ProcessorReport => (references.length > 1 ? { kind: 'link', references, paymentIntentId, reason } : ignored(reason));

function invoicePayment(object: Fields): ProcessorReport {
  const { payment_intent: intent, charge, payment_record: record } = fields(object.payment);
  const references = idsOf(object.invoice, intent, charge, record);
  return references.length > 1
    ? { kind: 'link', references, paymentIntentId: idOf(intent) }
    : ignored('nothing_to_link');
}

function promotionCode({ id: sent, code }: Fields): ProcessorReport {
  const id = idOf(sent);
  // A promotion code whose text cannot be a partner's coupon code is not stored.
  return id !== undefined && typeof code === 'string' && isCode(code)
    ? { kind: 'promotionCode', id, code }
    : ignored('no_code');
}

function customerDiscount({ id: sent, promotion_code: code }: Fields): ProcessorReport {
  const id = idOf(sent);
  return id === undefined ? ignored('no_id') : { kind: 'discount', id, promotionCodeId: idOf(code) };
}

function chargeRefunded(charge: Fields): ProcessorReport {
  const id = idOf(charge.id);
  const totalCents = refundedOf(charge);
  if (id === undefined || totalCents <= 0) return ignored('nothing_refunded');
  return {
    kind: 'reversal',
    reversal: { kind: 'refund', chargeId: id, totalCents, ...chargedBy(charge, charge) },
    references: idsOf(id, charge.payment_intent, charge.invoice),
  };
}

/** Whether a dispute is only an inquiry of the bank. An inquiry does not withdraw money yet. */
const isInquiry = ({ status }: Fields): boolean => typeof status === 'string' && status.startsWith('warning_');

function disputeReport(kind: 'disputeOpened' | 'disputeWon', dispute: Fields): ProcessorReport {
  const disputeId = idOf(dispute.id);
  const amountCents = takenOf(dispute, 'amount');
  if (disputeId === undefined || amountCents <= 0) return ignored('nothing_disputed');
  return {
    kind: 'reversal',
    reversal: { kind, disputeId, amountCents, ...chargedBy(dispute, fields(dispute.charge)) },
    references: idsOf(dispute.charge, dispute.payment_intent),
  };
}
