import { checkWindow, wholeDays } from '#lib/domain/attribution-window.ts';
import { commissionIsDue, newCommission, type Payment } from '#lib/domain/commission.ts';
import type { AttributedCustomer } from '#lib/domain/customer.ts';
import { termsOf } from '#lib/domain/program.ts';
import { commissionNotCreated, duplicateTransaction, noPartnerRelation, partnerMissing } from '#lib/domain/refusals.ts';
import type { Sale, SaleFacts } from '#lib/domain/sale.ts';
import type { Deps } from '#lib/deps.ts';
import { findCustomer, findCustomerByKey } from '#lib/store/customers.ts';
import { findProgram } from '#lib/store/programs.ts';
import { commissionWrites } from '#lib/store/commissions.ts';
import { customerWrites, findSale, saleToRepairWrites, saleWrite, standingSale, storeSale } from '#lib/store/sales.ts';
import { WriteRejected } from '#lib/store/writes.ts';
import { attributionOf, resolveCustomer, whyNoCustomer } from '#lib/use-cases/resolve-customer.ts';
import { settleRaces } from '#lib/use-cases/settle-races.ts';

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
  deps.about.programId = programId;
  return settleRaces(deps, () => decideSale(deps, request, programId).catch(refuseDuplicate));
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

async function decideSale(deps: Deps, request: SaleRequest, programId: number): Promise<RecordedSale> {
  const { table } = deps;
  const [recorded, program, resolved, saleId, commissionId] = await Promise.all([
    findSale(table, request.facts.transactionId),
    findProgram(table, programId),
    resolveCustomer(deps, request, programId),
    deps.ids.take(table),
    deps.ids.take(table),
  ]);
  if (recorded) throw duplicateTransaction(recorded.id);
  if (!program) throw new Error(`A key names program ${programId}, which does not exist`);
  if (!resolved) throw await whyNoCustomer(deps, request);
  const { customer } = resolved;
  const { partnerId } = customer;
  if (partnerId !== undefined && program.removedPartnerIds.includes(partnerId)) throw noPartnerRelation();

  const paidAt = request.occurredAt ?? deps.now;
  const window = checkWindow(customer, paidAt, program.attributionWindowDays);
  if (window && !window.within) {
    return { attributed: false, clickAgeDays: wholeDays(window.ageMs), windowDays: window.windowDays };
  }
  const terms = termsOf(program, deps.config.platformFeeBps);
  const sale: Omit<Sale, 'commissionState'> = {
    ...request.facts,
    id: saleId,
    programId,
    source: 'api',
    occurredAt: paidAt.toISOString(),
    createdAt: deps.now.toISOString(),
    refundedCents: 0,
    attribution: { ...attributionOf(resolved), window },
  };
  if (partnerId === undefined) {
    await table.transact(saleToRepairWrites({ ...sale, commissionState: 'noPartner', terms }));
    throw partnerMissing();
  }

  const payment: Payment = { ...request.facts, paidAt, firstPurchaseAt: customer.firstPurchaseAt };
  const converted = convertedCustomer(customer, request.customerKey, paidAt);
  const changes = customerWrites(customer, converted);
  if (!commissionIsDue(terms, payment)) {
    await table.transact([saleWrite({ ...sale, commissionState: 'notDue' }), ...changes]);
    return { attributed: true, saleId, commissionId: null };
  }
  try {
    const { transactionId, occurredAt, createdAt } = sale;
    const { clickId } = customer;
    const commission = newCommission(
      { id: commissionId, saleId, programId, partnerId, clickId, transactionId, occurredAt, createdAt, actor: 'api' },
      terms,
      payment,
    );
    if (request.isTest) {
      await storeSale(table, { ...sale, isTest: true, commissionState: 'test' });
      return { attributed: true, saleId, commissionId: null };
    }
    await table.transact([
      saleWrite({ ...sale, commissionState: 'created', commissionId }),
      ...commissionWrites(commission),
      ...changes,
    ]);
    return { attributed: true, saleId, commissionId };
  } catch (error) {
    if (request.isTest || !isCommissionFailure(error)) throw error;
    deps.log.error('commission_failed', error, { program_id: programId, sale_id: saleId });
    // By specification 4: the event is written and the id consumed; `sale repair` creates the commission.
    const claimed = converted.customerKey === customer.customerKey ? undefined : { customerKey: converted.customerKey };
    await table.transact(saleToRepairWrites({ ...sale, commissionState: 'failed', terms, claimed }));
    throw commissionNotCreated();
  }
}

/** The customer after this sale. Its key is bound only where no provisional lead claims one (specification 3). */
export function convertedCustomer(
  customer: AttributedCustomer,
  sentKey: string | undefined,
  paidAt: Date,
): AttributedCustomer {
  const mayBind = customer.customerKey === undefined && customer.leadState !== 'provisional';
  return {
    ...customer,
    status: 'conversion',
    firstPurchaseAt: customer.firstPurchaseAt ?? paidAt.toISOString(),
    customerKey: mayBind ? sentKey || undefined : customer.customerKey,
  };
}

/** Only the commission could not be made: its terms pay nothing computable, or its own write was rejected. */
export const isCommissionFailure = (error: unknown): error is Error =>
  error instanceof RangeError || (error instanceof WriteRejected && error.names.every((name) => name === 'commission'));

/** The id was claimed between our read and our write. */
function refuseDuplicate(error: unknown): never {
  const standing = standingSale(error);
  throw standing ? duplicateTransaction(standing.id) : error;
}
