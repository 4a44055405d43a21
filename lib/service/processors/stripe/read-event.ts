import { emailOf } from '#lib/domain/email.ts';
import { identifierOf, isPlainText, numericIdOf } from '#lib/domain/identifier.ts';
import { MOST_CENTS } from '#lib/domain/money.ts';
import type { Payer, ProcessorEvent, ProcessorPayment, ProcessorReport } from '#lib/domain/processor-event.ts';

/**
 * A JSON object of Stripe's. Its shape depends on the API version of the brand's endpoint, so every field is checked.
 */
type Fields = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fields) : []);

/** An id, or the object that it was expanded to. */
function idOf(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value : fields(value).id;
  return typeof id === 'string' && id !== '' && isPlainText(id) ? id : undefined;
}

const idsOf = (...values: readonly unknown[]): string[] => [...new Set(values.flatMap((value) => idOf(value) ?? []))];

const amountOf = (value: unknown): number => (Number.isInteger(value) ? (value as number) : 0);

/** The returned or reclaimed amount; it is capped at the sale's amount later. */
const takenOf = (value: unknown): number => Math.min(amountOf(value), MOST_CENTS);

function secondsOf(value: unknown): Date | undefined {
  if (!Number.isSafeInteger(value)) return undefined;
  const at = new Date((value as number) * 1000);
  // The number may exceed the range of Date.
  return Number.isNaN(at.getTime()) ? undefined : at;
}

const ignored = (reason: string): ProcessorReport => ({ kind: 'ignored', reason });

type Reader = (object: Fields, at: Date) => ProcessorReport;

/** The events that are processed; all others are ignored. */
const readers: Readonly<Record<string, Reader>> = {
  'checkout.session.completed': (session, at) =>
    session.payment_status === 'paid' ? checkout(session, at) : ignored('not_paid'),
  'checkout.session.async_payment_succeeded': checkout,
  'invoice.payment_succeeded': invoice,
  'invoice.paid': invoice,
  'invoice_payment.paid': invoicePayment,
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

/** A Stripe event as a processor event; undefined when it is none. @param event verified JSON */
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
    amountCents: amountOf(session.amount_total),
    currency: currencyOf(session),
    paidAt: at,
    order: isSubscription ? 'first' : 'single',
    settlesLead: !isSubscription,
    references: idsOf(id, session.payment_intent, latestCharge(session.payment_intent), invoiceId),
    paymentIntentId: idOf(session.payment_intent),
    subscriptionId: idOf(session.subscription),
    ...metadataOf(session.metadata, {
      email: emailOf(fields(session.customer_details).email) ?? emailOf(session.customer_email),
      processorCustomerId: idOf(session.customer),
    }),
  });
}

const latestCharge = (paymentIntent: unknown): unknown => fields(paymentIntent).latest_charge;

function invoice(object: Fields, at: Date): ProcessorReport {
  // Since API version 2025-03-31 the subscription is below `parent`, before that at the top level.
  const details = fields(fields(object.parent).subscription_details);
  const subscriptionId = idOf(details.subscription) ?? idOf(object.subscription);
  if (subscriptionId === undefined) return ignored('invoice_without_subscription');
  const id = idOf(object.id);
  const payments = list(fields(object.payments).data).map((each) => fields(each.payment));
  const intents = [object.payment_intent, ...payments.map((each) => each.payment_intent)];
  return payment({
    transactionId: id,
    amountCents: amountOf(object.amount_paid),
    currency: currencyOf(object),
    paidAt: secondsOf(fields(object.status_transitions).paid_at) ?? at,
    order: object.billing_reason === 'subscription_create' ? 'first' : 'later',
    settlesLead: true,
    references: idsOf(id, object.charge, ...intents, ...payments.map((each) => each.charge)),
    paymentIntentId: idsOf(...intents)[0],
    subscriptionId,
    ...metadataOf(details.metadata ?? fields(object.subscription_details).metadata, {
      email: emailOf(object.customer_email),
      processorCustomerId: idOf(object.customer),
    }),
  });
}

const currencyOf = ({ currency }: Fields): string => (typeof currency === 'string' ? currency.toUpperCase() : '');

/** Exactly these three metadata keys. */
function metadataOf(metadata: unknown, payer: Payer): { payer: Payer; programId?: number } {
  const { service_click_id: clickId, service_customer_key: customerKey, program_id: programId } = fields(metadata);
  const isNamed = programId !== undefined && programId !== null && programId !== '';
  return {
    payer: { ...payer, clickId: identifierOf(clickId), customerKey: identifierOf(customerKey) },
    programId: isNamed ? (numericIdOf(programId) ?? 0) : undefined,
  };
}

function payment({
  transactionId,
  ...rest
}: Omit<ProcessorPayment, 'transactionId'> & { transactionId?: string }): ProcessorReport {
  if (transactionId === undefined) return ignored('no_id');
  if (rest.amountCents <= 0) return ignored('nothing_paid');
  if (rest.amountCents > MOST_CENTS) return ignored('amount_too_large');
  return { kind: 'payment', payment: { transactionId, ...rest } };
}

function invoicePayment(object: Fields): ProcessorReport {
  const { payment_intent: paymentIntent, charge } = fields(object.payment);
  const references = idsOf(object.invoice, paymentIntent, charge);
  return references.length > 1 ? { kind: 'link', references } : ignored('nothing_to_link');
}

function chargeRefunded(charge: Fields): ProcessorReport {
  const id = idOf(charge.id);
  const totalCents = takenOf(charge.amount_refunded);
  if (id === undefined || totalCents <= 0) return ignored('nothing_refunded');
  return {
    kind: 'reversal',
    reversal: { kind: 'refund', chargeId: id, totalCents },
    references: idsOf(id, charge.payment_intent, charge.invoice),
  };
}

/** An inquiry of the bank: no money is withdrawn yet. */
const isInquiry = ({ status }: Fields): boolean => typeof status === 'string' && status.startsWith('warning_');

function disputeReport(kind: 'disputeOpened' | 'disputeWon', dispute: Fields): ProcessorReport {
  const disputeId = idOf(dispute.id);
  const amountCents = takenOf(dispute.amount);
  if (disputeId === undefined || amountCents <= 0) return ignored('nothing_disputed');
  return {
    kind: 'reversal',
    reversal: { kind, disputeId, amountCents },
    references: idsOf(dispute.charge, dispute.payment_intent),
  };
}
