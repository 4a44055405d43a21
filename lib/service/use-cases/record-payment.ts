import type { Customer } from '#lib/domain/customer.ts';
import type { ProcessorPayment } from '#lib/domain/processor-event.ts';
import type { Program } from '#lib/domain/program.ts';
import { type Refunded, withTakings } from '#lib/domain/refund.ts';
import { currencies, type Currency } from '#lib/domain/money.ts';
import type { Sale, SaleFacts } from '#lib/domain/sale.ts';
import { type AttributedSale, decideSale, type Resolved, withoutCommission } from '#lib/domain/sale-decision.ts';
import type { UnsoldReason } from '#lib/domain/unsold-payment.ts';
import type { Deps } from '#lib/service/deps.ts';
import { commissionWrites } from '#lib/service/store/commissions.ts';
import { findCustomer, findCustomerByKey, findCustomerByPayer, payerWrites } from '#lib/service/store/customers.ts';
import { type PaymentTrace, linkPaymentToSale, tracePayment } from '#lib/service/store/payments.ts';
import { customerWrites, findSale, saleToRepairWrites, saleWrite } from '#lib/service/store/sales.ts';
import { refundEventWrites } from '#lib/service/store/refunds.ts';
import { noteUnsoldPayment } from '#lib/service/store/unsold-payments.ts';
import type { Write } from '#lib/service/store/writes.ts';
import { bindableKey } from '#lib/service/use-cases/bindable-key.ts';
import type { Delivery, Unprocessed } from '#lib/service/use-cases/delivery.ts';
import { isCommissionFailure } from '#lib/service/use-cases/record-sale.ts';
import { resolvePayer } from '#lib/service/use-cases/resolve-payer.ts';
import { settleLead } from '#lib/service/use-cases/settle-lead.ts';
import { refundEvents, saleUpdateWrites } from '#lib/service/use-cases/record-reversal.ts';

/** The ids of a payment; of a subscription's first one, which is told twice, the subscription's own too. */
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
 * Records a payment that the processor tells of as a sale of the customer's partner. Order: resolve, settle the lead,
 * relation and window, duplicate, sale (contract 14.5).
 */
export async function recordPayment(deps: Deps, delivery: Delivery, payment: ProcessorPayment): Promise<Unprocessed> {
  const { event, processed } = delivery;
  const found = await programAndPayer(deps, delivery.programs, payment);
  if (!found) return 'no_program';
  const { program, resolved } = found;
  deps.logContext.programId = program.id;
  const { currency } = payment;
  const unsold = (reason: UnsoldReason) => notRecorded(deps, delivery, payment, program.id, reason);
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
  const standing = await findSale(deps.table, trace.transactionId ?? payment.transactionId);
  if (standing) {
    if (standing.programId !== program.id) {
      await unsold('id_used_elsewhere');
      return 'sale_of_another_program';
    }
    await deps.table.transact([...(await saleUpdateWrites(deps, trace, standing, payment)), processed]);
    return undefined;
  }
  const about = { deps, payment, currency, program, trace, processed };
  const unrecorded = event.isLive && settled ? await recordLive(about, settled) : await recordTest(about);
  if (unrecorded !== undefined) await unsold(unrecorded === 'no_partner' ? 'no_partner_relation' : unrecorded);
  return unrecorded;
}

/** A payment that names nobody is not told of, and neither is one with a test card. */
async function notRecorded(
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

interface About {
  readonly deps: Deps;
  readonly payment: ProcessorPayment;
  readonly currency: Currency;
  readonly program: Program;
  readonly trace: PaymentTrace;
  readonly processed: Write;
}

/** Contract 14.2: the program that the payment names, else the only one, else the one that knows the customer. */
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

const factsOf = ({ payment, currency }: About, isRecurring: boolean, livemode: boolean): SaleFacts => ({
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

async function recordLive(about: About, resolved: Resolved<Customer>): Promise<Unrecorded> {
  const { deps, payment, program } = about;
  const { table, now, config } = deps;
  const [saleId, commissionId] = await Promise.all([deps.ids.take(table), deps.ids.take(table)]);
  // The first payment after a free trial is the customer's first, whatever the invoice calls it.
  const { customer, resolvedBy } = resolved;
  const isRecurring = payment.order === 'later' && customer.status === 'conversion';
  const { customerKey } = payment.payer;
  const isByClick = resolvedBy === 'click_id';
  const candidate = {
    facts: factsOf(about, isRecurring, true),
    source: 'processor',
    actor: 'processor',
    saleId,
    commissionId,
    paidAt: payment.paidAt,
    now,
    // As on the sale endpoint, a payment binds a key only where the click named the customer.
    ...(isByClick && (await bindableKey(table, customer, customerKey))),
    confirmsKey: isByClick && customerKey !== undefined && customerKey === customer.customerKey,
  } as const;
  const decision = decideSale(candidate, resolved, program, config.platformFeeBps);
  if (decision.outcome === 'partnerRemoved') return 'no_partner_relation';
  if (decision.outcome === 'outsideWindow') return 'attribution_window_expired';
  if (decision.outcome === 'noPartner') return 'no_partner';
  try {
    if (decision.failure) throw decision.failure;
    await store(about, decision);
  } catch (error) {
    if (!isCommissionFailure(error)) throw error;
    deps.log.error('commission_failed', error, { program_id: program.id, sale_id: saleId });
    // The sale is kept; `sale repair` creates the commission. Delivering the event again would not help.
    await storeWithoutCommission(about, decision);
  }
  return undefined;
}

async function store(about: About, { sale, commission, customer, converted, claimant }: AttributedSale): Promise<void> {
  const after = waitingApplied(about, sale, commission);
  await about.deps.table.transact([
    saleWrite(after.sale),
    ...(after.commission ? commissionWrites(after.commission) : []),
    ...customerWrites(customer, converted, claimant),
    ...(await paymentWrites(about, after)),
    ...(await newPayerWrites(about, customer)),
  ]);
}

async function storeWithoutCommission(about: About, decision: AttributedSale): Promise<void> {
  const after = waitingApplied(about, withoutCommission(decision), undefined);
  await about.deps.table.transact([
    ...saleToRepairWrites(after.sale),
    ...(await paymentWrites(about, after)),
    ...(await newPayerWrites(about, decision.customer)),
  ]);
}

/** Refunds and disputes may have come before their sale. */
const waitingApplied = ({ deps, trace }: About, sale: Sale, commission: AttributedSale['commission']): Refunded =>
  withTakings(sale, commission, trace.waiting, { actor: 'processor', at: deps.now });

const paymentWrites = async ({ deps, trace, processed }: About, after: Refunded): Promise<Write[]> => [
  ...refundEventWrites(after, await refundEvents(deps, after)),
  ...linkPaymentToSale(trace, after.sale.transactionId, deps.now),
  processed,
];

const newPayerWrites = ({ deps, payment: { payer } }: About, customer: AttributedSale['customer']): Promise<Write[]> =>
  payer.processorCustomerId === undefined
    ? Promise.resolve([])
    : payerWrites(deps.table, customer, payer.processorCustomerId);

/** Contract 14.9: a test card makes a test sale. No customer is touched and nothing is earned. */
async function recordTest(about: About): Promise<undefined> {
  const { deps, payment, program } = about;
  const { table, now } = deps;
  const { clickId, customerKey } = payment.payer;
  const sale: Sale = {
    ...factsOf(about, payment.order === 'later', false),
    id: await deps.ids.take(table),
    programId: program.id,
    source: 'processor',
    isTest: true,
    occurredAt: payment.paidAt.toISOString(),
    createdAt: now.toISOString(),
    commissionState: 'test',
    refundedCents: 0,
    claimed: { customerKey: customerKey || undefined, clickId: clickId || undefined },
  };
  const after = waitingApplied(about, sale, undefined);
  await table.transact([saleWrite(after.sale), ...(await paymentWrites(about, after))]);
  return undefined;
}
