import { wholeDays } from '#lib/domain/attribution-window.ts';
import {
  commissionNotCreated,
  duplicateTransaction,
  noPartnerRelation,
  partnerMissing,
  type Refusal,
} from '#lib/domain/refusals.ts';
import type { Sale, SaleFacts } from '#lib/domain/sale.ts';
import { type AttributedSale, decideSale, withoutCommission } from '#lib/domain/sale-decision.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findCustomer, findCustomerByKey } from '#lib/service/store/customers.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { commissionWrites } from '#lib/service/store/commissions.ts';
import {
  commitSale,
  customerWrites,
  findSale,
  saleToRepairWrites,
  saleWrite,
  standingSale,
  storeSale,
} from '#lib/service/store/sales.ts';
import { noteUnsoldPayment } from '#lib/service/store/unsold-payments.ts';
import { WriteRejected } from '#lib/service/store/writes.ts';
import { resolveCustomer, whyNoCustomer } from '#lib/service/use-cases/resolve-customer.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

export interface SaleRequest {
  readonly facts: SaleFacts;
  /** Of a verification chain: its commission is computed, so that its terms are tried, but neither stored nor due. */
  readonly isTest?: true;
  /** Undefined = not sent; what can match nothing is sent all the same (see `identifierOf`). */
  readonly customerKey?: string;
  readonly clickId?: string;
  /** Payment time; absent = now. */
  readonly occurredAt?: Date;
}

export type RecordedSale =
  | { readonly attributed: true; readonly saleId: number; readonly commissionId: number | null }
  | { readonly attributed: false; readonly clickAgeDays: number; readonly windowDays: number };

/**
 * Records a sale and creates its commission (specification 1 and 4, contract 7). The claim on the transaction id, the
 * sale, its commission and the customer's move to `conversion` commit together or not at all.
 * @throws Refusal: duplicate, customer not found, no relation; and the two after which the sale is stored without its
 * commission, for `sale repair`
 */
export function recordSale(deps: Deps, request: SaleRequest, programId: number): Promise<RecordedSale> {
  deps.logContext.programId = programId;
  return retryOnConflict(deps, () =>
    decideAndWrite(deps, request, programId).catch((error: unknown) =>
      refuseDuplicate(deps, request, programId, error),
    ),
  );
}

/** Starts the reads of a sale. @param likelyProgramId the program named by the key's structure */
export const readAheadOfSale = (
  { table }: Deps,
  { facts, clickId, customerKey }: SaleRequest,
  likelyProgramId: number | undefined,
): Promise<unknown>[] => [
  findSale(table, facts.transactionId),
  findCustomer(table, clickId),
  ...(likelyProgramId === undefined
    ? []
    : [findProgram(table, likelyProgramId), findCustomerByKey(table, likelyProgramId, customerKey)]),
];

async function decideAndWrite(deps: Deps, request: SaleRequest, programId: number): Promise<RecordedSale> {
  const { table, now, config } = deps;
  const { facts, customerKey, occurredAt: paidAt = now } = request;
  const [recorded, program, resolved, saleId, commissionId] = await Promise.all([
    findSale(table, facts.transactionId),
    findProgram(table, programId),
    resolveCustomer(deps, request, programId),
    deps.ids.take(table),
    deps.ids.take(table),
  ]);
  if (recorded) throw await duplicateOf(deps, request, programId, recorded);
  if (!program) throw new Error(`A key names program ${programId}, which does not exist`);
  if (!resolved) throw await whyNoCustomer(deps, request);

  const { claimant, confirmsKey } = resolved;
  const sent = { facts, paidAt, customerKey, claimant, confirmsKey };
  const candidate = { ...sent, source: 'api', actor: 'api', saleId, commissionId, now } as const;
  const decision = decideSale(candidate, resolved, program, config.platformFeeBps);
  if (decision.outcome === 'partnerRemoved') throw noPartnerRelation();
  if (decision.outcome === 'outsideWindow') {
    const { ageMs, windowDays } = decision.window;
    return { attributed: false, clickAgeDays: wholeDays(ageMs), windowDays };
  }
  if (decision.outcome === 'noPartner') {
    await commitSale(table, decision.sale, saleToRepairWrites(decision.sale));
    throw partnerMissing();
  }
  return request.isTest ? storeTestSale(deps, decision) : storeAttributed(deps, decision);
}

async function storeTestSale({ table }: Deps, { sale, failure }: AttributedSale): Promise<RecordedSale> {
  if (failure) throw failure;
  await storeSale(table, { ...sale, isTest: true, commissionState: 'test', commissionId: undefined });
  return { attributed: true, saleId: sale.id, commissionId: null };
}

async function storeAttributed(deps: Deps, decision: AttributedSale): Promise<RecordedSale> {
  const { sale, commission, customer, converted, claimant, failure } = decision;
  try {
    if (failure) throw failure;
    await commitSale(deps.table, sale, [
      saleWrite(sale),
      ...(commission ? commissionWrites(commission) : []),
      ...customerWrites(customer, converted, claimant),
    ]);
    return { attributed: true, saleId: sale.id, commissionId: commission?.id ?? null };
  } catch (error) {
    if (!isCommissionFailure(error)) throw error;
    deps.log.error('commission_failed', error, { program_id: sale.programId, sale_id: sale.id });
    // By specification 4: the event is written and the id consumed; `sale repair` creates the commission.
    await commitSale(deps.table, sale, saleToRepairWrites(withoutCommission(decision)));
    throw commissionNotCreated();
  }
}

/** Only the commission could not be made: its terms pay nothing computable, or the table will never take its writes. */
export const isCommissionFailure = (error: unknown): error is Error =>
  error instanceof RangeError ||
  (error instanceof WriteRejected && error.names.length > 0 && error.names.every((name) => name === 'commission'));

/** The id was claimed between our read and our write. */
async function refuseDuplicate(deps: Deps, request: SaleRequest, programId: number, error: unknown): Promise<never> {
  const standing = standingSale(error);
  throw standing ? await duplicateOf(deps, request, programId, standing) : error;
}

/**
 * Ids are one space over all programs. One that another program's sale has costs this brand a sale that its caller takes
 * for recorded, so somebody is told.
 */
async function duplicateOf(
  { table, log, now }: Deps,
  { facts: { transactionId, amountCents, currency }, isTest }: SaleRequest,
  programId: number,
  standing: Sale,
): Promise<Refusal> {
  if (standing.programId !== programId && !isTest) {
    log.warn('id_used_elsewhere', { program_id: programId, sale_id: standing.id });
    const sale = { programId, eventType: 'api', transactionId, amountCents, currency };
    // The answer is the same without the note, and no second request would make it up.
    await noteUnsoldPayment(table, { ...sale, reason: 'id_used_elsewhere' }, now).catch((error: unknown) =>
      log.error('unsold_payment_unnoted', error, { program_id: programId }),
    );
  }
  return duplicateTransaction(standing.id);
}
