import { withLateClaim, type Claim } from '#lib/service/conversions/attribution/code-claim.ts';
import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { overruledClaim } from '#lib/service/earnings/commissions/overruled-claim.ts';
import type { Payer } from '#lib/service/conversions/processors/processor-event.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { mayMove, reattributed } from '#lib/service/conversions/attribution/reattribution.ts';
import { wasEverReversed } from '#lib/service/conversions/refunds/reversals.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';
import type { AttributedSale } from '#lib/service/conversions/sales/sale-decision.ts';
import { type Resolved, guestPayerOf } from '#lib/service/conversions/attribution/resolution.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  reattributedCommissionWrites,
  unchangedCommissionCheck,
} from '#lib/service/earnings/commissions/commissions-items.ts';
import { findCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { payerWrites } from '#lib/service/conversions/payers/payers-items.ts';
import { reattributedRefundWrites, storedRefundsOf } from '#lib/service/conversions/refunds/refunds-items.ts';
import {
  changedSaleWrite,
  findCommission,
  reattributedSaleWrites,
  unchangedSaleCheck,
} from '#lib/service/conversions/sales/sales-items.ts';
import { customerWrites } from '#lib/service/traffic/customers/paying-customers-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { decideBooking } from '#lib/service/conversions/sales/book-sale.ts';

// The steps that move a recorded sale to another customer.

/** The customer who remains when a customer created by a coupon code is merged into it. */
export type MergeTarget = Pick<SaleAttribution, 'clickId' | 'isByAddressAlone'>;

/**
 * Decides the attribution and commission of a sale again, as a sale of another customer. Undefined if the sale would
 * not be attributed, or if its commission could not be computed.
 */
export async function decideFor(
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

interface Move extends Pick<SaleAttribution, 'movedFrom' | 'takenFrom'> {
  /** Further writes for the transaction. */
  readonly writes?: readonly Write[];
}

/**
 * Stores a sale after it was decided again, with its commission, refunds and further writes.
 * @throws ConditionFailed after a concurrent change
 */
export async function moveSale(
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

/** Moves another sale of a merged customer to the customer who remains. @returns whether the sale could be moved */
export async function moveOtherSale(deps: Deps, program: Program, sale: Sale, to: MergeTarget): Promise<boolean> {
  const { table } = deps;
  table.forget();
  const [customer, commission] = await Promise.all([
    findCustomer(table, to.clickId),
    findCommission(table, sale.transactionId),
  ]);
  if (!customer || !sale.attribution || !mayMove(commission)) return false;
  const { resolvedBy, identifier, overruled } = sale.attribution;
  // The merged customer's payer id had attributed this sale. If only the e-mail address found the remaining customer,
  // this sale's attribution rests on the e-mail address alone as well.
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
  // These writes change the customer if the sale is the customer's first one of a subscription.
  const writes = customerWrites(decision.stored, decision.converted);
  await moveSale(deps, { sale, commission }, decision, { writes });
  return true;
}

/**
 * Notes the partner of the customer whom a later event identified, on a sale that is not moved because its commission
 * was paid or rejected.
 */
export async function recordLateClaim({ table }: Deps, sale: Sale, found: Resolved<Customer>): Promise<Sale> {
  const noted = withLateClaim(sale, found);
  if (noted === sale) return sale;
  await table.transact([changedSaleWrite(sale, noted)]);
  table.forget();
  return noted;
}

/** Writes that store a guest's e-mail address hash, by which later payments with the same click find the guest. */
export const newGuestWrites = async (table: Table, found: Resolved<Customer>): Promise<Write[]> => {
  const payer = guestPayerOf(found);
  return payer === undefined ? [] : payerWrites(table, found.customer, payer);
};
