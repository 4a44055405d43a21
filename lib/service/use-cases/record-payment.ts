import type { Commission } from '#lib/domain/commission.ts';
import type { Customer } from '#lib/domain/customer.ts';
import type { ProcessorPayment } from '#lib/domain/processor-event.ts';
import type { Program } from '#lib/domain/program.ts';
import { currencies, type Currency } from '#lib/domain/money.ts';
import { type Refunded, withReversals } from '#lib/domain/refund.ts';
import { newTestSale, type Sale, type SaleFacts } from '#lib/domain/sale.ts';
import type { Resolved } from '#lib/domain/sale-decision.ts';
import type { UnsoldReason } from '#lib/domain/unsold-payment.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findCustomer, findCustomerByKey, findCustomerByPayer, payerWrites } from '#lib/service/store/customers.ts';
import { type PaymentTrace, linkPaymentToSale, tracePayment } from '#lib/service/store/payments.ts';
import { findSale, newSaleWrites } from '#lib/service/store/sales.ts';
import { refundEventWrites } from '#lib/service/store/refunds.ts';
import { noteUnsoldPayment } from '#lib/service/store/unsold-payments.ts';
import type { Write } from '#lib/service/store/writes.ts';
import { bookSale, decideBooking } from '#lib/service/use-cases/book-sale.ts';
import type { Delivery, Unprocessed } from '#lib/service/use-cases/delivery.ts';
import { resolvePayer } from '#lib/service/use-cases/resolve-payer.ts';
import { settleLead } from '#lib/service/use-cases/settle-lead.ts';
import { refundEvents, saleUpdateWrites } from '#lib/service/use-cases/record-reversal.ts';

/**
 * The ids of a payment. A subscription's first payment is reported twice, by the checkout and by the invoice: the
 * subscription's id connects the two.
 */
const idsOf = ({ references, order, subscriptionId }: ProcessorPayment): readonly string[] =>
  order === 'first' && subscriptionId ? [...references, subscriptionId] : references;

/** Starts the reads of a payment that depend on nothing but the event and its program. */
export function readAheadOfPayment(
  { table }: Deps,
  payment: ProcessorPayment,
  programId: number,
): readonly Promise<unknown>[] {
  const { clickId, customerKey, processorCustomerId } = payment.payer;
  return [
    findSale(table, payment.transactionId),
    findCustomer(table, clickId),
    findCustomerByKey(table, programId, customerKey),
    ...(processorCustomerId === undefined ? [] : [findCustomerByPayer(table, programId, processorCustomerId)]),
    tracePayment(table, programId, idsOf(payment)),
  ];
}

/**
 * Records a payment reported by the processor as a sale of the customer's partner. In this order: resolve the customer,
 * settle its lead, find a sale that is recorded already, check relation and window, record the sale.
 * @returns why no sale was recorded
 */
export async function recordPayment(deps: Deps, delivery: Delivery, payment: ProcessorPayment): Promise<Unprocessed> {
  const { event, processed } = delivery;
  const found = await programAndPayer(deps, delivery.programs, payment);
  if (!found) return 'no_program';
  const { program, resolved } = found;
  deps.logContext.programId = program.id;
  const { currency } = payment;
  const unsold = (reason: UnsoldReason) => noteUnsold(deps, delivery, payment, program.id, reason);
  const isNamed = resolved !== undefined || payment.payer.clickId !== undefined;
  if (!isSupported(currency)) {
    if (isNamed) await unsold('unsupported_currency');
    return 'unsupported_currency';
  }
  if (event.isLive && !resolved) {
    if (isNamed) await unsold('unknown_click');
    return 'unattributed';
  }
  const settled = event.isLive && resolved ? await settleLead(deps, payment, resolved, program) : resolved;

  const trace = await tracePayment(deps.table, program.id, idsOf(payment));
  const existing = await findSale(deps.table, trace.transactionId ?? payment.transactionId);
  if (existing) {
    if (existing.programId !== program.id) {
      await unsold('id_used_elsewhere');
      return 'sale_of_another_program';
    }
    await deps.table.transact([...(await saleUpdateWrites(deps, trace, existing, payment)), processed]);
    return undefined;
  }
  const context = { deps, payment, currency, program, trace, processed };
  const unrecorded = event.isLive && settled ? await recordLive(context, settled) : await recordTest(context);
  if (unrecorded !== undefined) await unsold(unrecorded === 'no_partner' ? 'no_partner_relation' : unrecorded);
  return unrecorded;
}

/** Notes a payment for the dashboard, unless it was made with a test card. */
async function noteUnsold(
  { table, log, now }: Deps,
  { event }: Delivery,
  { transactionId, amountCents, currency }: ProcessorPayment,
  programId: number,
  reason: UnsoldReason,
): Promise<void> {
  if (!event.isLive) return;
  if (reason === 'id_used_elsewhere') log.warn('id_used_elsewhere', { program_id: programId, event_id: event.id });
  const { id: eventId, type: eventType } = event;
  await noteUnsoldPayment(table, { programId, eventId, eventType, transactionId, amountCents, currency, reason }, now);
}

const isSupported = (currency: string): currency is Currency => currencies.some((each) => each === currency);

/** A payment whose program and sale are looked up. */
interface PaymentContext {
  readonly deps: Deps;
  readonly payment: ProcessorPayment;
  readonly currency: Currency;
  readonly program: Program;
  readonly trace: PaymentTrace;
  readonly processed: Write;
}

/** The program that the payment names, else the only one, else the one that knows the customer. */
async function programAndPayer(
  deps: Deps,
  connected: readonly Program[],
  { programId, payer }: ProcessorPayment,
): Promise<{ program: Program; resolved?: Resolved<Customer> } | undefined> {
  const candidates = programId === undefined ? connected : connected.filter(({ id }) => id === programId);
  for (const program of candidates) {
    const resolved = await resolvePayer(deps, payer, program);
    if (resolved) return { program, resolved };
  }
  const [only, ...others] = candidates;
  return only && others.length === 0 ? { program: only } : undefined;
}

const factsOf = ({ payment, currency }: PaymentContext, isRecurring: boolean, livemode: boolean): SaleFacts => ({
  transactionId: payment.transactionId,
  amountCents: payment.amountCents,
  currency,
  saleType: payment.order === 'single' ? 'payment' : 'subscription',
  isRecurring,
  subscriptionId: payment.subscriptionId,
  provider: 'stripe',
  providerPaymentId: payment.paymentIntentId,
  livemode,
});

type Unrecorded = 'no_partner_relation' | 'attribution_window_expired' | 'no_partner' | undefined;

async function recordLive(context: PaymentContext, resolved: Resolved<Customer>): Promise<Unrecorded> {
  const { deps, payment, program } = context;
  const [saleId, commissionId] = await Promise.all([deps.ids.take(deps.table), deps.ids.take(deps.table)]);
  const { customer } = resolved;
  // The first payment after a free trial is the customer's first, though its invoice is a renewal.
  const isRecurring = payment.order === 'later' && customer.status === 'conversion';
  const decision = await decideBooking(
    deps,
    {
      facts: factsOf(context, isRecurring, true),
      source: 'processor',
      saleId,
      commissionId,
      paidAt: payment.paidAt,
      named: payment.payer,
    },
    resolved,
    program,
  );
  if (decision.outcome === 'partnerRemoved') return 'no_partner_relation';
  if (decision.outcome === 'outsideWindow') return 'attribution_window_expired';
  if (decision.outcome === 'noPartner') return 'no_partner';
  // A sale without its commission counts as processed: delivering the event again would not help.
  await bookSale(deps, decision, async (sale, commission) => {
    const after = withParkedReversals(context, sale, commission);
    return {
      ...after,
      writes: [...(await paymentWrites(context, after)), ...(await newPayerWrites(context, customer))],
    };
  });
  return undefined;
}

/** Refunds and disputes may have come before their sale. */
const withParkedReversals = ({ deps, trace }: PaymentContext, sale: Sale, commission?: Commission): Refunded =>
  withReversals(sale, commission, trace.waiting, { actor: 'processor', at: deps.now });

const paymentWrites = async ({ deps, trace, processed }: PaymentContext, after: Refunded): Promise<Write[]> => [
  ...refundEventWrites(after, await refundEvents(deps, after)),
  ...linkPaymentToSale(trace, after.sale.transactionId, deps.now),
  processed,
];

const newPayerWrites = async ({ deps, payment: { payer } }: PaymentContext, customer: Customer): Promise<Write[]> =>
  payer.processorCustomerId === undefined ? [] : payerWrites(deps.table, customer, payer.processorCustomerId);

/** A test card makes a test sale. No customer is touched and nothing is earned. */
async function recordTest(context: PaymentContext): Promise<undefined> {
  const { deps, payment, program } = context;
  const { table, now } = deps;
  const { paidAt, payer, order } = payment;
  const { clickId, customerKey } = payer;
  const names = { id: await deps.ids.take(table), programId: program.id, source: 'processor', paidAt, now } as const;
  const sale = newTestSale(factsOf(context, order === 'later', false), { ...names, clickId, customerKey });
  const after = withParkedReversals(context, sale);
  await table.transact([...newSaleWrites(after.sale), ...(await paymentWrites(context, after))]);
  return undefined;
}
