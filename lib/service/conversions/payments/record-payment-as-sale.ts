import { claimOf, isUnattributed, withLateCode, type Claim } from '#lib/service/conversions/attribution/code-claim.ts';
import { isOpen } from '#lib/service/programs/links/code.ts';
import { reportedTaxCents } from '#lib/service/programs/terms/commission-base.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { traceEmail } from '#lib/service/ground/addresses/email.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { ProcessorPayment } from '#lib/service/conversions/processors/processor-event.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { newTestSale, type Sale, type SaleFacts } from '#lib/service/conversions/sales/sale.ts';
import { overtakes, withInvoiceRenewal } from '#lib/service/conversions/sales/renewal.ts';
import { type Resolved, guestPayerOf } from '#lib/service/conversions/attribution/resolution.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { payerWrites } from '#lib/service/conversions/payers/payers-items.ts';
import {
  idsOfPayment,
  type PaymentTrace,
  spaceOf,
  tracePayment,
  withoutSale,
} from '#lib/service/conversions/payments/payments-items.ts';
import { findPartnerOf } from '#lib/service/programs/partners/partners-items.ts';
import { findSale, newSaleWrites } from '#lib/service/conversions/sales/sales-items.ts';
import { findSubscription, subscriptionOf } from '#lib/service/conversions/sales/subscriptions-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { bindPayer } from '#lib/service/conversions/payers/bind-payer.ts';
import { bookSale, decideBooking } from '#lib/service/conversions/sales/book-sale.ts';
import { soleSaleOf } from '#lib/service/conversions/payments/duplicate-sales.ts';
import { codeOfPayment, NO_CODE } from '#lib/service/conversions/waiting/find-payment-code.ts';
import {
  isWaiting,
  type NamedPayment,
  type UnattributedOutcome,
  waitForCodeOfPaymentWrites,
  waitForIntentWrites,
} from '#lib/service/conversions/waiting/keep-payment.ts';
import { recordLivePayment } from '#lib/service/conversions/waiting/record-live-payment.ts';
import { correctionWrites, overtakenSales } from '#lib/service/conversions/attribution/overtake-sale.ts';
import { paymentWrites, withParkedReversals } from '#lib/service/conversions/payments/payment-writes.ts';
import { reattributeSale } from '#lib/service/conversions/attribution/reattribute-sale.ts';
import { storeUnattributedPayment, mustBeListed } from '#lib/service/conversions/waiting/store-unattributed-payment.ts';
import { taxReportOf } from '#lib/service/conversions/payments/tax-report.ts';
import { updateSale } from '#lib/service/conversions/sales/update-sale.ts';
import { settleLead } from '#lib/service/conversions/leads/settle-lead.ts';

/**
 * Records a payment as a sale of the customer's partner, or of its coupon code's partner. The steps: settle the
 * customer's lead, look for an existing sale, check partner and attribution window, record the sale. A payment that is
 * not recorded is stored as unattributed, so that it can be retried. A payment of zero is no sale, but its coupon code
 * may make the payer a customer of the code's partner.
 * @returns why no sale was recorded; undefined if one was
 * @throws ConditionFailed after a concurrent change: the caller must reload and decide again
 */
export async function recordPaymentAsSale(deps: Deps, named: NamedPayment): Promise<UnattributedOutcome | undefined> {
  const { payment, program, event } = named;
  deps.logContext.programId = program.id;
  if (program.isSandbox && !event.isLive) {
    if (mustBeListed(named)) await recordLivePayment(deps, named);
    return 'live_payment';
  }
  if (payment.amountCents === 0) return bindPayer(deps, named);
  const outcome = await attempt(deps, named);
  return outcome === undefined || isWaiting(outcome) ? outcome : storeUnattributedPayment(deps, named, outcome);
}

async function attempt(deps: Deps, named: NamedPayment): Promise<UnattributedOutcome | undefined> {
  const { table, ids, random } = deps;
  const { payment, program, resolved, event, codeScope, processed } = named;
  const { currency, paidAt, payer } = payment;
  const times = { paidAt, cameInAt: event.cameInAt };
  const lastly = processed ? [processed] : [];
  const [{ trace, existing }, { code, unknown }, saleId] = await Promise.all([
    findRecorded(deps, named),
    event.isLive ? codeOfPayment(table, payment, program.id, codeScope) : NO_CODE,
    ids.take(table),
    // This reads the partner early, because its e-mail address will be compared with the payer's.
    event.isLive && payer.email !== undefined ? findPartnerOf(table, resolved?.customer) : undefined,
    findSubscription(table, program.id, payment.subscriptionId),
  ]);
  if (!existing && !deps.config.currencies.includes(currency)) return 'unsupported_currency';
  const isClaimed = resolved !== undefined || (code !== undefined && isOpen(code, program));
  if (!existing && event.isLive && !isClaimed && unknown.length === 0) return 'unattributed';
  const found = event.isLive && resolved ? await settleLead(deps, payment, resolved, program) : resolved;

  if (existing) {
    if (existing.programId !== program.id || (event.isLive && existing.isTest)) return 'sale_of_another_program';
    if (!event.isLive && !existing.isTest) {
      await table.transact(lastly);
      return undefined;
    }
    const sale = await reattributeSale(deps, named, existing);
    const coded = withLateCode(sale, code, program);
    const waits =
      mayHaveCode(coded, payment) && unknown.length > 0 ? waitForCodeOfPaymentWrites(deps, named, unknown) : [];
    await updateSale(deps, trace, sale, { payment, coded, waits }, [
      ...lastly,
      ...(await latePayerWrites(deps, named, found, sale)),
    ]);
    return undefined;
  }
  if (unknown.length > 0 && isUnattributed(found?.customer, times, program)) {
    await table.transact([...waitForCodeOfPaymentWrites(deps, named, unknown, trace), ...lastly]);
    return 'waiting_for_code';
  }
  if (payment.awaitsIntent && trace.items.size === 1) {
    const writes = [...waitForIntentWrites(deps, named, trace), ...lastly];
    if (writes.length > 0) await table.transact(writes);
    return 'waiting';
  }
  const taxCents = reportedTaxCents(await taxReportOf(deps, trace, payment), payment);
  const { recordedAs: transactionId = payment.transactionId } = named;
  const context = { deps, payment, transactionId, taxCents, currency, program, trace, saleId, lastly };
  const newcomer = { id: saleId, clickId: random.clickId(), customerKey: payer.customerKey };
  const claim = event.isLive ? claimOf(found, { code, newcomer, ...times }, program) : undefined;
  return claim ? recordLive(context, claim) : recordTest(context);
}

/**
 * Writes that link the payer's processor customer id to the customer of a sale that the brand's server had sent without
 * this id. They are made only if the event finds the same customer, so the result does not depend on whether the event
 * or the server's call arrived first.
 */
async function latePayerWrites(
  { table }: Deps,
  { payment, event }: NamedPayment,
  found: Resolved<Customer> | undefined,
  sale: Sale,
): Promise<Write[]> {
  const { processorCustomerId } = payment.payer;
  const isOfSale = found !== undefined && found.customer.clickId === sale.attribution?.clickId;
  return event.isLive && sale.source === 'api' && isOfSale && !found.isClaimed && processorCustomerId !== undefined
    ? payerWrites(table, found.customer, processorCustomerId, found.isByAddressAlone)
    : [];
}

/** Finds the sale of a payment by any of its ids, and what else is stored under these ids. */
async function findRecorded(
  deps: Deps,
  { payment, program, event, recordedAs = payment.transactionId }: NamedPayment,
): Promise<{ readonly trace: PaymentTrace; readonly existing?: Sale }> {
  const { table } = deps;
  const trace = await tracePayment(table, program.id, idsOfPayment(payment), spaceOf(event.isLive));
  const [traced, named] = await Promise.all([soleSaleOf(deps, trace), findSale(table, recordedAs)]);
  // The ids of the payment may point to a sale that a restore has lost. The pointer is then ignored.
  return traced ? { trace, existing: traced } : { trace: withoutSale(trace), existing: named };
}

/**
 * Whether this payment may still add a coupon code to its sale: the invoice of a subscription's first payment may
 * contain a code that the checkout did not contain.
 */
const mayHaveCode = ({ code, attribution }: Sale, { order }: ProcessorPayment): boolean =>
  order === 'first' && attribution !== undefined && code === undefined;

/** A payment with its program and trace. */
interface PaymentContext {
  readonly deps: Deps;
  readonly payment: ProcessorPayment;
  /** The transaction id of the new sale. */
  readonly transactionId: string;
  readonly taxCents: number | undefined;
  readonly currency: Currency;
  readonly program: Program;
  readonly trace: PaymentTrace;
  readonly saleId: number;
  readonly lastly: readonly Write[];
}

const factsOf = (
  { payment, transactionId, taxCents, currency, trace }: PaymentContext,
  isRecurring: boolean,
  livemode: boolean,
): SaleFacts => ({
  transactionId,
  amountCents: payment.amountCents,
  taxCents,
  currency,
  saleType: payment.order === 'single' ? 'payment' : 'subscription',
  isRecurring,
  subscriptionId: payment.subscriptionId,
  provider: 'stripe',
  providerPaymentId: payment.paymentIntentId ?? trace.paymentIntentId,
  livemode,
});

async function recordLive(context: PaymentContext, claim: Claim<Customer>): Promise<UnattributedOutcome | undefined> {
  const { deps, payment, program, saleId, trace, lastly } = context;
  const { customer } = claim;
  const [commissionId, { writes: marks }] = await Promise.all([
    deps.ids.take(deps.table),
    subscriptionOf(deps.table, customer, payment),
  ]);
  // If only a browser claimed the customer, the processor customer id is not linked, because the link would remain
  // after the browser's claim is refuted.
  const payer = claim.isClaimed ? undefined : payment.payer.processorCustomerId;
  const decision = await decideBooking(
    deps,
    {
      facts: withInvoiceRenewal(factsOf(context, false, true), payment, customer),
      overtakes: overtakes(payment, customer),
      source: 'processor',
      saleId,
      commissionId,
      paidAt: payment.paidAt,
      named: payment.payer,
      payer,
      email: payment.payer.email === undefined ? undefined : traceEmail(payment.payer.email, program.emailSalt),
    },
    claim,
    program,
  );
  if (decision.outcome === 'partnerRemoved') return 'no_partner_relation';
  if (decision.outcome === 'clickTooLate') return 'click_after_payment';
  if (decision.outcome === 'outsideWindow') return 'attribution_window_expired';
  if (decision.outcome === 'noPartner') return 'no_partner';
  const corrections = await overtakenSales(deps, program, claim.stored, payment);
  // Even if no commission can be computed, the event counts as processed: another attempt would fail, too.
  await bookSale(deps, decision, async (sale, commission) => {
    const after = withParkedReversals(deps, [trace], sale, commission);
    const writes = [
      ...(await paymentWrites(deps, [trace], after)),
      ...marks,
      ...lastly,
      ...(await newPayerWrites(context, claim, payer)),
    ];
    return { ...after, writes: [...writes, ...(await correctionWrites(deps, corrections, writes.length))] };
  });
  return undefined;
}

const newPayerWrites = async (
  { deps }: PaymentContext,
  claim: Claim<Customer>,
  processorCustomerId: string | undefined,
): Promise<Write[]> => {
  const payer = processorCustomerId ?? guestPayerOf(claim);
  return payer === undefined ? [] : payerWrites(deps.table, claim.customer, payer, claim.isByAddressAlone);
};

/** Records a payment with a test card as a test sale. It changes no customer and earns nothing. */
async function recordTest(context: PaymentContext): Promise<undefined> {
  const { deps, payment, program, saleId, trace, lastly } = context;
  const { table, now } = deps;
  const { paidAt, payer, order } = payment;
  const { clickId, customerKey } = payer;
  const names = { id: saleId, programId: program.id, source: 'processor', paidAt, now } as const;
  const sale = newTestSale(factsOf(context, order === 'later', false), { ...names, clickId, customerKey });
  const after = withParkedReversals(deps, [trace], sale);
  await table.transact([...newSaleWrites(after.sale), ...(await paymentWrites(deps, [trace], after)), ...lastly]);
  return undefined;
}
