import { claimBeforeCode, isNobodys, withLateClaim } from '#lib/domain/code-claim.ts';
import type { SaleCommission } from '#lib/domain/commission.ts';
import type { AttributedCustomer, Customer } from '#lib/domain/customer.ts';
import { overruledClaim } from '#lib/domain/overruled-claim.ts';
import type { Payer } from '#lib/domain/processor-event.ts';
import type { Program } from '#lib/domain/program.ts';
import { isByCodeAlone, mayMove, reattributed, tellsMore } from '#lib/domain/reattribution.ts';
import { guestPayerOf } from '#lib/domain/resolution.ts';
import { wasEverReversed } from '#lib/domain/reversals.ts';
import type { Sale, SaleAttribution } from '#lib/domain/sale.ts';
import type { AttributedSale, Claim, Resolved } from '#lib/domain/sale-decision.ts';
import type { Deps } from '#lib/service/deps.ts';
import { reattributedCommissionWrites, unchangedCommissionCheck } from '#lib/service/store/commissions.ts';
import { salesOf } from '#lib/service/store/customer-sales.ts';
import { findCustomer, findRecordedCustomer } from '#lib/service/store/customers.ts';
import {
  handOverWrites,
  movedPayerWrites,
  unsoldCustomerWrites,
  withoutSalesWrite,
} from '#lib/service/store/moved-customers.ts';
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

/** What an event told, and of which program. */
type Told = Pick<NamedPayment, 'payment' | 'program'>;

/**
 * A payment may be reported by two events, of which one names the customer. When the other one came first and its code
 * brought the sale, the sale becomes that customer's, with all that the code's own customer has by then: as in the
 * opposite order. So it does where the address alone had found somebody, who keeps what that payment did not bring. A
 * sale whose commission was paid or rejected stays, and one that the brand's server sent.
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
  if (attribution.takenFrom !== undefined) {
    await takeOtherSales(deps, program, sale, payment.payer);
    return sale;
  }
  if (attribution.isByAddressAlone) return takeSale(deps, { payment, program }, sale);
  if (attribution.resolvedBy !== 'code' || program.codePrecedence === 'code_first') return sale;
  const made = await findRecordedCustomer(table, attribution.clickId);
  if (!isByCodeAlone(sale, made)) return sale;
  const found = await resolvePayer(deps, payment.payer, program, sale);
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

/** A sale that the address alone had found, after an event that tells more: whose it is, or that something is against it. */
async function takeSale(deps: Deps, { payment, program }: Told, sale: Sale): Promise<Sale> {
  const { table } = deps;
  const { payer } = payment;
  const former = sale.attribution!;
  const found = await resolvePayer(deps, payer, program, sale);
  const times = { paidAt: new Date(sale.occurredAt), cameInAt: new Date(sale.createdAt) };
  if (!found || !tellsMore(found, sale) || isNobodys(found.customer, times, program)) return sale;
  const isSame = found.customer.clickId === former.clickId;
  // It was found as before this sale.
  const customer = isSame ? await findCustomer(table, former.clickId) : found.customer;
  if (!customer) return sale;
  const decided = await decideFor(deps, program, sale, claimBeforeCode({ ...found, customer }, sale), payer);
  if (!decided) return sale;
  const decision = isSame ? withWindow(decided, former) : decided;
  const commission = await findCommission(table, sale.transactionId);
  if (!mayMove(commission)) return noteLateClaim(deps, sale, found);
  const { processorCustomerId } = payer;
  const payers =
    found.isClaimed || processorCustomerId === undefined
      ? await newGuestWrites(table, found)
      : await payerWrites(table, found.customer, processorCustomerId, found.isByAddressAlone);
  const writes = [...customerWrites(decision.stored, decision.converted, sale, decision.claimant), ...payers];
  await moveSale(deps, { sale, commission }, decision, { takenFrom: isSame ? undefined : former.clickId, writes });
  const taken = (await findSale(table, sale.transactionId))!;
  if (!isSame) await takeOtherSales(deps, program, taken, payer);
  return taken;
}

/** The window is as it was checked before the sale. */
const withWindow = (decision: AttributedSale, { window }: SaleAttribution): AttributedSale => ({
  ...decision,
  sale: { ...decision.sale, attribution: { ...decision.sale.attribution!, window } },
});

/**
 * Takes the renewals of a taken sale from the customer whom the address had found, too. One who has no sale left has not
 * bought, unless another one is recorded at this very moment: then its window is checked once more.
 */
async function takeOtherSales(deps: Deps, program: Program, taken: Sale, payer: Payer): Promise<void> {
  const { table } = deps;
  const { takenFrom: from = '', clickId } = taken.attribution!;
  table.forget();
  const isRenewal = ({ attribution, subscriptionId }: Sale) =>
    attribution?.isByAddressAlone && subscriptionId !== undefined && subscriptionId === taken.subscriptionId;
  let isEmpty = true;
  for await (const sales of salesOf(table, from)) {
    for (const sale of sales) {
      if (!isRenewal(sale) || !(await moveOtherSale(deps, program, sale, { clickId }))) isEmpty = false;
    }
  }
  const former = await findCustomer(table, from);
  if (isEmpty && former?.status === 'conversion' && former.firstPurchaseAt === taken.occurredAt) {
    await table.transact(unsoldCustomerWrites(former, payer.processorCustomerId));
  }
  table.forget();
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

interface Move extends Pick<SaleAttribution, 'movedFrom' | 'takenFrom'> {
  /** Go into the transaction. */
  readonly writes?: readonly Write[];
}

async function moveSale(
  { table, now }: Deps,
  before: { readonly sale: Sale; readonly commission?: SaleCommission },
  decision: AttributedSale,
  { movedFrom, takenFrom, writes = [] }: Move = {},
): Promise<void> {
  const { sale, commission } = before;
  const refunds = wasEverReversed(sale) ? await storedRefundsOf(table, sale.transactionId) : [];
  const after = reattributed(before, decision, refunds, { actor: 'processor', at: now });
  const attribution = { ...after.sale.attribution!, movedFrom, takenFrom };
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
  const lost = overruled && overruledClaim(customer.partnerId, overruled);
  const claim = {
    customer,
    stored: customer,
    resolvedBy,
    identifier,
    overruled: lost && overruled,
    isByAddressAlone,
    code: sale.code,
  };
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
