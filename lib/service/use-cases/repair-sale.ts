import { commissionIsDue, newCommission, type Payment } from '#lib/domain/commission.ts';
import { withRefunds } from '#lib/domain/refunded-commission.ts';
import { convertedCustomer } from '#lib/domain/sale-decision.ts';
import { saleToRepairNotFound } from '#lib/domain/refusals.ts';
import type { Sale } from '#lib/domain/sale.ts';
import type { OperatorDeps } from '#lib/service/deps.ts';
import { findRecordedCustomer } from '#lib/service/store/customers.ts';
import { commissionWrites } from '#lib/service/store/commissions.ts';
import {
  customerWrites,
  findSale,
  repairedSaleWrites,
  salesToRepair,
  unchangedSaleCheck,
} from '#lib/service/store/sales.ts';
import { refundShareWrites, storedRefundsOf } from '#lib/service/store/refunds.ts';
import { bindableKey } from '#lib/service/use-cases/bindable-key.ts';
import { isCommissionFailure } from '#lib/service/use-cases/record-sale.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/** DynamoDB takes this many writes in one transaction. */
const MOST_WRITES = 100;

/** What became of one sale. */
export interface SaleRepair {
  readonly transactionId: string;
  /** Why no commission was created; absent when one was. */
  readonly skipped?: string;
}

/**
 * Creates the commission that a sale lacks, with the terms of the sale's time and the refunds recorded since, and makes
 * its customer what the sale would have made it. Of repairs that race, one creates it; a repeated one changes nothing.
 * @throws Refusal when there is no such sale
 */
export const repairSale = (deps: OperatorDeps, transactionId: string): Promise<SaleRepair> =>
  retryOnConflict(deps, () => decideRepair(deps, transactionId));

/** Repairs every sale that lacks its commission, oldest first: a customer's first payment comes before its later ones. */
export async function repairAllSales(deps: OperatorDeps): Promise<SaleRepair[]> {
  const repairs: SaleRepair[] = [];
  for (const transactionId of await salesToRepair(deps.table)) {
    // The sale before may have changed the same customer.
    deps.table.forget();
    repairs.push(await repairSale(deps, transactionId));
  }
  return repairs;
}

async function decideRepair(deps: OperatorDeps, transactionId: string): Promise<SaleRepair> {
  const { table } = deps;
  const skipped = (reason: string): SaleRepair => ({ transactionId, skipped: reason });
  const sale = await findSale(table, transactionId);
  if (!sale) throw saleToRepairNotFound();
  const { attribution, terms, commissionState } = sale;
  if (commissionState !== 'failed' && commissionState !== 'noPartner') return skipped('no commission is missing');
  if (!terms || attribution?.partnerId === undefined) return skipped('its customer had no partner');
  // Its partner is due the commission even when the person was erased since.
  const customer = await findRecordedCustomer(table, attribution.clickId);
  if (!customer) throw new Error(`Sale ${transactionId} names customer ${attribution.clickId}, which does not exist`);

  const paidAt = new Date(sale.occurredAt);
  const payment: Payment = { ...sale, paidAt, firstPurchaseAt: customer.firstPurchaseAt };
  const isGone = customer.erasedAt !== undefined || customer.unlinkedAt !== undefined;
  const { customerKey, claimant } = isGone ? {} : await bindableKey(table, customer, sale.claimed?.customerKey);
  const changes = customerWrites(customer, convertedCustomer(customer, customerKey, paidAt), claimant);
  if (!commissionIsDue(terms, payment)) {
    await table.transact([...repairedSaleWrites(sale, { commissionState: 'notDue' }), ...changes]);
    return skipped('no commission is due for this payment');
  }
  try {
    const missing = await missingCommission(deps, { ...sale, terms, attribution }, attribution.partnerId, payment);
    const { commission, refunds, shares } = missing;
    const completion = [
      ...repairedSaleWrites(sale, { commissionState: 'created', commissionId: commission.id }),
      ...commissionWrites(commission),
      ...changes,
    ];
    const told = refundShareWrites(refunds, shares, commission.currency);
    // Refunds beyond one transaction are told before it. An interrupted repair leaves the sale to be repaired, and the
    // next one tells them the same.
    while (told.length + completion.length > MOST_WRITES) {
      await table.transact([unchangedSaleCheck(sale), ...told.splice(0, MOST_WRITES - 1)]);
    }
    await table.transact([...completion, ...told]);
    return { transactionId };
  } catch (error) {
    if (!isCommissionFailure(error)) throw error;
    return skipped(error.message);
  }
}

type AttributedSale = Sale & Required<Pick<Sale, 'terms' | 'attribution'>>;

/** The commission as it is now: made today, with all that was refunded taken from it, and what each refund took. */
async function missingCommission(
  { table, now, ids }: OperatorDeps,
  sale: AttributedSale,
  partnerId: number,
  payment: Payment,
) {
  const { programId, transactionId, occurredAt } = sale;
  // A restore may have lost the commission and not its id.
  const newId = sale.commissionId ?? ids.take(table);
  const [id, refunds] = await Promise.all([newId, storedRefundsOf(table, transactionId)]);
  const commission = newCommission(
    {
      id,
      saleId: sale.id,
      programId,
      partnerId,
      clickId: sale.attribution.clickId,
      transactionId,
      occurredAt,
      createdAt: now.toISOString(),
      actor: 'operator',
    },
    sale.terms,
    payment,
  );
  return { refunds, ...withRefunds(commission, sale, refunds, { actor: 'operator', at: now }) };
}
