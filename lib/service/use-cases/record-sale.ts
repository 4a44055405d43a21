import { wholeDays } from '#lib/domain/attribution-window.ts';
import { claimOf } from '#lib/domain/code-claim.ts';
import { commissionNotCreated, duplicateTransaction, noPartnerRelation, partnerMissing } from '#lib/domain/refusals.ts';
import type { SaleFacts, SentFacts } from '#lib/domain/sale.ts';
import type { AttributedSale } from '#lib/domain/sale-decision.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findAgreements } from '#lib/service/store/agreements.ts';
import { findCode } from '#lib/service/store/codes.ts';
import { findCustomer, findCustomerByKey } from '#lib/service/store/customers.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { commitSale, existingSale, findSale, newSaleWrites, storeSale } from '#lib/service/store/sales.ts';
import type { Write } from '#lib/service/store/writes.ts';
import { bookSale, decideBooking } from '#lib/service/use-cases/book-sale.ts';
import { resolveCustomer, whyNoCustomer } from '#lib/service/use-cases/resolve-customer.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

export interface SaleRequest {
  readonly facts: SaleFacts;
  /** Of a verification chain: its commission is computed to check the terms, but neither stored nor due. */
  readonly isTest?: true;
  /** Undefined = not sent; an unusable value counts as sent (see `identifierOf`). */
  readonly customerKey?: string;
  readonly clickId?: string;
  /** As the buyer typed it. */
  readonly couponCode?: string;
  /** Payment time; absent = now. */
  readonly occurredAt?: Date;
}

/** A sale as the brand's server sent it: its currency is not checked yet. */
export interface SentSaleRequest extends Omit<SaleRequest, 'facts' | 'isTest'> {
  readonly facts: SentFacts;
}

/** That an owner records a sale that was refused before. */
export interface Retry {
  /** Go into the sale's transaction. */
  readonly writes: readonly Write[];
}

export type RecordedSale =
  | { readonly attributed: true; readonly saleId: number; readonly commissionId: number | null }
  | { readonly attributed: false; readonly isClickTooLate: true }
  | {
      readonly attributed: false;
      readonly isClickTooLate?: undefined;
      readonly clickAgeDays: number;
      readonly windowDays: number;
    };

/**
 * Records a sale and creates its commission. The claim on the transaction id, the sale, its commission and the
 * customer's move to `conversion` commit together or not at all.
 * @throws Refusal: duplicate, customer not found, no relation; and the two after which the sale is stored without its
 * commission, for `sale repair`
 */
export function recordSale(deps: Deps, request: SaleRequest, programId: number, retry?: Retry): Promise<RecordedSale> {
  deps.logContext.programId = programId;
  return retryOnConflict(deps, () =>
    decideAndWrite(deps, request, programId, retry).catch((error: unknown) => refuseDuplicate(error, programId)),
  );
}

/** Starts the reads of a sale. @param likelyProgramId the program named by the key's structure */
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
      ]),
];

async function decideAndWrite(
  deps: Deps,
  request: SaleRequest,
  programId: number,
  retry: Retry | undefined,
): Promise<RecordedSale> {
  const { table, now } = deps;
  const { facts, occurredAt: paidAt = now } = request;
  const [recorded, program, found, code, saleId, commissionId] = await Promise.all([
    findSale(table, facts.transactionId),
    findProgram(table, programId),
    resolveCustomer(deps, request, programId),
    findCode(table, programId, request.couponCode),
    deps.ids.take(table),
    deps.ids.take(table),
    // Read with the rest; the terms of the customer's partner are in it.
    findAgreements(table, programId),
  ]);
  if (recorded) throw duplicateTransaction(recorded.id, recorded.programId === programId);
  if (!program) throw new Error(`A key names program ${programId}, which does not exist`);
  const newcomer = { id: saleId, clickId: deps.random.clickId(), customerKey: request.customerKey };
  const claim = claimOf(found, { code, paidAt, newcomer }, program);
  if (!claim) throw await whyNoCustomer(deps, request, program);

  const payment = { facts, paidAt, source: 'api', saleId, commissionId, named: request } as const;
  const decision = await decideBooking(deps, payment, claim, program);
  if (decision.outcome === 'partnerRemoved') throw noPartnerRelation();
  if (decision.outcome === 'clickTooLate') return { attributed: false, isClickTooLate: true };
  if (decision.outcome === 'outsideWindow') {
    const { ageMs, windowDays } = decision.window;
    return { attributed: false, clickAgeDays: wholeDays(ageMs), windowDays };
  }
  if (decision.outcome === 'noPartner') {
    await commitSale(table, decision.sale, newSaleWrites(decision.sale));
    throw partnerMissing();
  }
  if (request.isTest) return storeTestSale(deps, decision);
  const booked = await bookSale(deps, decision, (sale, commission) => ({ sale, commission, writes: retry?.writes }));
  if (booked) throw commissionNotCreated();
  return { attributed: true, saleId, commissionId: decision.commission?.id ?? null };
}

async function storeTestSale({ table }: Deps, { sale, failure }: AttributedSale): Promise<RecordedSale> {
  if (failure) throw failure;
  await storeSale(table, { ...sale, isTest: true, commissionState: 'test', commissionId: undefined });
  return { attributed: true, saleId: sale.id, commissionId: null };
}

/** The id was claimed between our read and our write. Ids are unique over all programs. */
function refuseDuplicate(error: unknown, programId: number): never {
  const existing = existingSale(error);
  throw existing ? duplicateTransaction(existing.id, existing.programId === programId) : error;
}
