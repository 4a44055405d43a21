import { wholeDays } from '#lib/service/traffic/customers/attribution-window.ts';
import { claimOf, type Claim } from '#lib/service/conversions/attribution/code-claim.ts';
import { reportedTaxCents } from '#lib/service/programs/terms/commission-base.ts';
import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import {
  commissionNotCreated,
  duplicateTransaction,
  noPartnerRelation,
  partnerMissing,
} from '#lib/service/ground/values/refusals.ts';
import { type DecidedFacts, paidForWith, renewalBy, withRenewal } from '#lib/service/conversions/sales/renewal.ts';
import { recordsPaymentOf, type SaleFacts, type SentFacts } from '#lib/service/conversions/sales/sale.ts';
import type { AttributedSale } from '#lib/service/conversions/sales/sale-decision.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { findCode } from '#lib/service/programs/links/codes-items.ts';
import { findCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { findCustomerByKey } from '#lib/service/traffic/customers/customer-keys-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import {
  commitSale,
  existingSale,
  findSale,
  newSaleWrites,
  storeSale,
} from '#lib/service/conversions/sales/sales-items.ts';
import { customerWrites } from '#lib/service/traffic/customers/paying-customers-items.ts';
import { findSubscription, subscriptionOf } from '#lib/service/conversions/sales/subscriptions-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { bookSale, decideBooking } from '#lib/service/conversions/sales/book-sale.ts';
import { paymentWrites, withParkedReversals } from '#lib/service/conversions/payments/payment-writes.ts';
import { resolveCustomer, whyNoCustomer } from '#lib/service/conversions/attribution/resolve-customer.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { claimLaterIds } from '#lib/service/conversions/payments/claim-later-ids.ts';
import { findSamePayment, readSamePayment, type SamePayment } from '#lib/service/conversions/payments/same-payment.ts';
import { taxReportOf } from '#lib/service/conversions/payments/tax-report.ts';

export interface SaleRequest {
  readonly facts: SaleFacts;
  /** Set for test events. The commission is computed to check the terms, but neither stored nor paid. */
  readonly isTest?: true;
  /** The customer's key; undefined if not sent. An invalid value counts as sent (see `identifierOf`). */
  readonly customerKey?: string;
  readonly clickId?: string;
  /** The code as entered by the buyer. */
  readonly couponCode?: string;
  /** Payment time. Undefined means now. */
  readonly occurredAt?: Date;
}

/** A sale as sent by the brand's server. Its currency is not checked yet. */
export interface SentSaleRequest extends Omit<SaleRequest, 'facts' | 'isTest'> {
  readonly facts: SentFacts;
}

/** An owner's retry of a sale that was not recorded. */
export interface Retry {
  /** The id that the brand's server had sent. The sale may get another one, but its payment is found by this id. */
  readonly transactionId: string;
  /** Writes that are added to the sale's transaction. */
  readonly writes: readonly Write[];
}

export type RecordedSale =
  | {
      readonly attributed: true;
      readonly saleId: number;
      readonly commissionId: number | null;
      readonly isRecurring: boolean;
    }
  | { readonly attributed: false; readonly isClickTooLate: true }
  | {
      readonly attributed: false;
      readonly isClickTooLate?: undefined;
      readonly clickAgeDays: number;
      readonly windowDays: number;
    };

/**
 * Records a sale and creates its commission. The transaction id, the sale, its commission and the customer's change to
 * `conversion` are written in one transaction.
 * @throws Refusal if the sale is a duplicate, or has no customer or no active partner. Also if the sale was stored, but
 * without its commission, which `sale repair` must add
 */
export function recordSale(deps: Deps, request: SaleRequest, programId: number, retry?: Retry): Promise<RecordedSale> {
  deps.logContext.programId = programId;
  return retryOnConflict(deps, () =>
    decideAndWrite(deps, request, programId, retry).catch((error: unknown) => refuseDuplicate(error, programId)),
  );
}

/** Starts the reads of a sale. @param likelyProgramId the program id in the program key, which is not verified yet */
export const readAheadOfSale = (
  { table }: Deps,
  { facts, clickId, customerKey, couponCode }: SentSaleRequest,
  likelyProgramId: number | undefined,
): Promise<unknown>[] => [
  findSale(table, facts.transactionId),
  findCustomer(table, clickId),
  ...(likelyProgramId === undefined
    ? []
    : [
        findProgram(table, likelyProgramId),
        findAgreements(table, likelyProgramId),
        findCustomerByKey(table, likelyProgramId, customerKey),
        findCode(table, likelyProgramId, couponCode),
        readSamePayment(table, likelyProgramId, facts),
        findSubscription(table, likelyProgramId, facts.subscriptionId),
      ]),
];

async function decideAndWrite(
  deps: Deps,
  request: SaleRequest,
  programId: number,
  retry: Retry | undefined,
): Promise<RecordedSale> {
  const { table, now } = deps;
  const { occurredAt: paidAt = now } = request;
  const payment = { ...request.facts, ...(retry && { transactionId: retry.transactionId }) };
  const [recorded, same, program, found, code, saleId, commissionId] = await Promise.all([
    findSale(table, request.facts.transactionId),
    request.isTest ? NO_PAYMENT : findSamePayment(table, programId, payment, retry && [retry.transactionId]),
    findProgram(table, programId),
    resolveCustomer(deps, request, programId),
    findCode(table, programId, request.couponCode),
    deps.ids.take(table),
    deps.ids.take(table),
    // These reads run in parallel. The first read returns the terms of the customer's partner.
    findAgreements(table, programId),
    findSubscription(table, programId, request.facts.subscriptionId),
  ]);
  const before = same.sale ?? recorded;
  if (before && recordsPaymentOf(programId, before) && !request.isTest) {
    const counting = await claimLaterIds(deps, payment, before, recorded, same);
    throw duplicateTransaction(counting.id, true);
  }
  if (before) throw duplicateTransaction(before.id, false);
  if (!program) throw new Error(`A key names program ${programId}, which does not exist`);
  const newcomer = { id: saleId, clickId: deps.random.clickId(), customerKey: request.customerKey };
  const claim = claimOf(found, { code, paidAt, newcomer }, program);
  if (!claim) throw await whyNoCustomer(deps, request, program);

  const { facts, marks } = await decideRenewal(deps, await withWaiting(deps, request.facts, same), claim.customer);
  const sold = { facts, paidAt, source: 'api', saleId, commissionId, named: request } as const;
  const decision = await decideBooking(deps, sold, claim, program);
  if (decision.outcome === 'partnerRemoved') throw noPartnerRelation();
  if (decision.outcome === 'clickTooLate') return { attributed: false, isClickTooLate: true };
  if (decision.outcome === 'outsideWindow') {
    const { ageMs, windowDays } = decision.window;
    return { attributed: false, clickAgeDays: wholeDays(ageMs), windowDays };
  }
  if (decision.outcome === 'noPartner') {
    const after = withParkedReversals(deps, same.traces, decision.sale);
    await commitSale(table, after.sale, [
      ...newSaleWrites(after.sale),
      ...(await paymentWrites(deps, same.traces, after)),
      ...noPartnersCustomerWrites(claim, facts),
      ...marks,
      ...(retry?.writes ?? []),
    ]);
    throw partnerMissing();
  }
  if (request.isTest) return storeTestSale(deps, decision);
  const booked = await bookSale(deps, decision, async (sale, commission) => {
    const after = withParkedReversals(deps, same.traces, sale, commission);
    const writes = [...(await paymentWrites(deps, same.traces, after)), ...marks, ...(retry?.writes ?? [])];
    return { ...after, writes };
  });
  if (booked) throw commissionNotCreated();
  const { isRecurring } = facts;
  return { attributed: true, saleId, commissionId: decision.commission?.id ?? null, isRecurring };
}

/** Decides whether the sale is a renewal, with the writes that make the subscription's next sale a renewal. */
async function decideRenewal(
  { table }: Deps,
  facts: SaleFacts,
  customer: AttributedCustomer,
): Promise<{ readonly facts: DecidedFacts; readonly marks: readonly Write[] }> {
  const { isPaid: hasSubscription, writes: marks } = await subscriptionOf(table, customer, facts);
  return { facts: withRenewal(facts, renewalBy(facts, { customer, hasSubscription })), marks };
}

/**
 * Writes for a customer whose partner the operator has removed: the sale is recorded for no partner, and the customer
 * as one who has paid.
 */
const noPartnersCustomerWrites = ({ customer, stored }: Claim, { saleType }: SaleFacts): Write[] =>
  customerWrites(stored, { ...customer, hasPaidFor: paidForWith(customer, saleType) });

/** Used for test events in place of what is stored about a payment, because a test event has no payment. */
const NO_PAYMENT: SamePayment = { traces: [] };

/** Adds to a sale what earlier Stripe events have reported about its payment. */
async function withWaiting(deps: Deps, facts: SaleFacts, { traces }: SamePayment): Promise<SaleFacts> {
  const { provider = 'stripe', providerPaymentId, taxCents } = facts;
  const [trace] = traces;
  if (!trace || (trace.keptBy === undefined && trace.paymentIntentId === undefined)) return facts;
  const report = taxCents === undefined ? await taxReportOf(deps, trace, undefined) : undefined;
  return {
    ...facts,
    taxCents: taxCents ?? reportedTaxCents(report, facts),
    providerPaymentId: providerPaymentId ?? (provider === 'stripe' ? trace.paymentIntentId : undefined),
  };
}

async function storeTestSale({ table }: Deps, { sale, failure }: AttributedSale): Promise<RecordedSale> {
  if (failure) throw failure;
  await storeSale(table, { ...sale, isTest: true, commissionState: 'test', commissionId: undefined });
  return { attributed: true, saleId: sale.id, commissionId: null, isRecurring: sale.isRecurring };
}

/**
 * Refuses a sale whose transaction id another request has stored after this request read it. Transaction ids are unique
 * over all programs.
 */
function refuseDuplicate(error: unknown, programId: number): never {
  const existing = existingSale(error);
  throw existing ? duplicateTransaction(existing.id, recordsPaymentOf(programId, existing)) : error;
}
