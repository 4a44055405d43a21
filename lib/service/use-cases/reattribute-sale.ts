import { claimBeforeCode, isNobodys, withLateClaim } from '#lib/domain/code-claim.ts';
import type { SaleCommission } from '#lib/domain/commission.ts';
import type { AttributedCustomer, Customer } from '#lib/domain/customer.ts';
import type { Payer } from '#lib/domain/processor-event.ts';
import type { Program } from '#lib/domain/program.ts';
import { isByCodeAlone, mayMove, reattributed } from '#lib/domain/reattribution.ts';
import { guestPayerOf } from '#lib/domain/resolution.ts';
import { wasEverReversed } from '#lib/domain/reversals.ts';
import type { Sale, SaleAttribution } from '#lib/domain/sale.ts';
import type { AttributedSale, Claim, Resolved } from '#lib/domain/sale-decision.ts';
import type { Deps } from '#lib/service/deps.ts';
import { reattributedCommissionWrites, unchangedCommissionCheck } from '#lib/service/store/commissions.ts';
import { salesOf } from '#lib/service/store/customer-sales.ts';
import { findCustomer, findRecordedCustomer } from '#lib/service/store/customers.ts';
import { handOverWrites, movedPayerWrites, withoutSalesWrite } from '#lib/service/store/moved-customers.ts';
import { payerWrites } from '#lib/service/store/payers.ts';
import { reattributedRefundWrites, storedRefundsOf } from '#lib/service/store/refunds.ts';
import {
  changedSaleWrite,
  customerWrites,
  findCommission,
  findSale,
  reattributedSaleWrites,
  unchangedSaleCheck,
} from '#lib/service/store/sales.ts';
import type { Table } from '#lib/service/store/table.ts';
import type { Write } from '#lib/service/store/writes.ts';
import { decideBooking } from '#lib/service/use-cases/book-sale.ts';
import type { NamedPayment } from '#lib/service/use-cases/keep-payment.ts';
import { resolvePayer } from '#lib/service/use-cases/resolve-payer.ts';

/**
 * A payment may be reported by two events, of which one names the customer. When the other one came first and its code
 * brought the sale, the sale becomes that customer's, with all that the code's own customer has by then: as in the
 * opposite order. A sale whose commission was paid or rejected stays, and one that the brand's server sent.
 * @returns the sale as it is afterwards
 * @throws ConditionFailed after a concurrent change: decide again
 */
export async function reattributeSale(
  deps: Deps,
  { payment, program, event }: NamedPayment,
  sale: Sale,
): Promise<Sale> {
  const { table } = deps;
  const { attribution } = sale;
  if (!event.isLive || !attribution || sale.source === 'api') return sale;
  if (attribution.movedFrom !== undefined) {
    await moveOtherSales(deps, program, attribution.movedFrom, attribution);
    return sale;
  }
  if (attribution.resolvedBy !== 'code' || program.codePrecedence === 'code_first') return sale;
  const made = await findRecordedCustomer(table, attribution.clickId);
  if (!isByCodeAlone(sale, made)) return sale;
  const found = await resolvePayer(deps, payment.payer, program, made.clickId);
  const times = { paidAt: new Date(sale.occurredAt), cameInAt: new Date(sale.createdAt) };
  if (!found || isNobodys(found.customer, times, program)) return sale;

  const decision = await decideFor(deps, program, sale, claimBeforeCode(found, sale), payment.payer);
  if (!decision) return sale;
  const commission = await findCommission(table, sale.transactionId);
  if (!mayMove(commission)) return noteLateClaim(deps, sale, found);
  const converted = withKeyOf(made, decision, payment.payer);
  const handOver = await handOverWrites(table, made, decision.stored, converted, sale, {
    at: deps.now,
    isByAddressAlone: found.isByAddressAlone,
  });
  await moveSale(deps, { sale, commission }, decision, {
    movedFrom: made.clickId,
    writes: [...handOver, ...(await newGuestWrites(table, found))],
  });
  await moveOtherSales(deps, program, made.clickId, {
    clickId: converted.clickId,
    isByAddressAlone: found.isByAddressAlone,
  });
  return (await findSale(table, sale.transactionId))!;
}

const newGuestWrites = async (table: Table, found: Resolved<Customer>): Promise<Write[]> => {
  const payer = guestPayerOf(found);
  return payer === undefined ? [] : payerWrites(table, found.customer, payer);
};

/** What the sale is as that of a customer; undefined when it would not be one, or its commission could not be made. */
async function decideFor(
  deps: Deps,
  program: Program,
  sale: Sale,
  claim: Claim,
  named: Pick<Payer, 'clickId' | 'customerKey' | 'processorCustomerId'> = {},
): Promise<AttributedSale | undefined> {
  const commissionId = sale.commissionId ?? (await deps.ids.take(deps.table));
  const { source, id: saleId } = sale;
  const paidAt = new Date(sale.occurredAt);
  const payer = claim.isClaimed ? undefined : named.processorCustomerId;
  const payment = { facts: sale, source, saleId, commissionId, paidAt, named, payer };
  const decision = await decideBooking(deps, payment, claim, program);
  return decision.outcome === 'attributed' && !decision.failure ? decision : undefined;
}

/** The customer with the key of the one whom the code had made, where the payment names the click and this key. */
function withKeyOf(
  { customerKey }: Customer,
  { customer, converted }: AttributedSale,
  payer: Payer,
): AttributedCustomer {
  const isNamed = payer.clickId === customer.clickId && payer.customerKey === customerKey;
  const isFree = customer.customerKey === undefined && customer.leadState !== 'provisional';
  return isNamed && isFree ? { ...converted, customerKey } : converted;
}

interface Move {
  /** The customer whom the code had made. */
  readonly movedFrom?: string;
  /** Go into the transaction. */
  readonly writes?: readonly Write[];
}

async function moveSale(
  { table, now }: Deps,
  before: { readonly sale: Sale; readonly commission?: SaleCommission },
  decision: AttributedSale,
  { movedFrom, writes = [] }: Move = {},
): Promise<void> {
  const { sale, commission } = before;
  const refunds = wasEverReversed(sale) ? await storedRefundsOf(table, sale.transactionId) : [];
  const after = reattributed(before, decision, refunds, { actor: 'processor', at: now });
  const attribution = { ...after.sale.attribution!, movedFrom };
  const moved: Sale = { ...after.sale, attribution };
  await table.transactLong(
    [
      ...reattributedSaleWrites(sale, moved),
      ...reattributedCommissionWrites(commission, after.commission),
      ...writes,
      ...reattributedRefundWrites(refunds, after.shares, moved, after.commission),
    ],
    [unchangedSaleCheck(sale), ...(commission ? [unchangedCommissionCheck(commission)] : [])],
  );
  table.forget();
}

/** The customer who another one turned out to be. */
type NamedOne = Pick<SaleAttribution, 'clickId' | 'isByAddressAlone'>;

/**
 * Moves what else was sold to a customer who turned out to be another one. No more can come: a sale demands that its
 * customer is not unlinked.
 */
async function moveOtherSales(deps: Deps, program: Program, from: string, to: NamedOne): Promise<void> {
  const { table } = deps;
  table.forget();
  const payers = await movedPayerWrites(
    table,
    { clickId: from, programId: program.id },
    to.clickId,
    to.isByAddressAlone,
  );
  if (payers.length > 0) await table.transact(payers);
  let isEmpty = true;
  for await (const sales of salesOf(table, from)) {
    for (const sale of sales) if (!(await moveOtherSale(deps, program, sale, to))) isEmpty = false;
  }
  const made = await findRecordedCustomer(table, from);
  if (isEmpty && made?.status === 'conversion') await table.transact([withoutSalesWrite(from)]);
  table.forget();
}

/** @returns whether it could */
async function moveOtherSale(deps: Deps, program: Program, sale: Sale, to: NamedOne): Promise<boolean> {
  const { table } = deps;
  table.forget();
  const [customer, commission] = await Promise.all([
    findCustomer(table, to.clickId),
    findCommission(table, sale.transactionId),
  ]);
  if (!customer || !sale.attribution || !mayMove(commission)) return false;
  const { resolvedBy, identifier, overruled } = sale.attribution;
  // The payer led to the customer whom the code had made, and through it to whom an address alone named.
  const isByAddressAlone = resolvedBy === 'processor_customer' ? to.isByAddressAlone : undefined;
  const claim = { customer, stored: customer, resolvedBy, identifier, overruled, isByAddressAlone, code: sale.code };
  const decision = await decideFor(deps, program, sale, claim);
  if (!decision) return false;
  // The customer may have paid for a first subscription by it.
  const writes = customerWrites(decision.stored, decision.converted);
  await moveSale(deps, { sale, commission }, decision, { writes });
  return true;
}

/** The sale stays where its commission was paid, or rejected, and tells who would have got it. */
async function noteLateClaim({ table }: Deps, sale: Sale, found: Resolved<Customer>): Promise<Sale> {
  const noted = withLateClaim(sale, found);
  if (noted === sale) return sale;
  await table.transact([changedSaleWrite(sale, noted)]);
  table.forget();
  return noted;
}
