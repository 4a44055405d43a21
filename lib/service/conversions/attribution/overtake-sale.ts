import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import { overtaken } from '#lib/service/conversions/attribution/overtaken-sale.ts';
import type { ProcessorPayment } from '#lib/service/conversions/processors/processor-event.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { overtakes } from '#lib/service/conversions/sales/renewal.ts';
import { wasEverReversed } from '#lib/service/conversions/refunds/reversals.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  changedCommissionWrite,
  unchangedCommissionCheck,
} from '#lib/service/earnings/commissions/commissions-items.ts';
import { salesOf } from '#lib/service/conversions/sales/customer-sales-items.ts';
import { refundShareWrites, storedRefundsOf } from '#lib/service/conversions/refunds/refunds-items.ts';
import { findCommission, overtakenSaleWrite, unchangedSaleCheck } from '#lib/service/conversions/sales/sales-items.ts';
import { MOST_WRITES, type Write } from '#lib/service/ground/table/writes.ts';
import { termsOfVersion } from '#lib/service/programs/terms/terms-in-force.ts';

/** The correction of one recorded sale. */
interface Correction {
  readonly writes: readonly Write[];
  /** Checks that fail if the sale has changed since it was read. */
  readonly checks: readonly Write[];
}

/**
 * Returns the corrections of a customer's recorded sales after a payment became known that was made before them.
 * Stripe's events arrive in any order, and commissions must not depend on that order. The sales are read only if the
 * payment is earlier than all of them.
 * @param customer the stored customer; undefined if the payment creates it
 */
export async function overtakenSales(
  deps: Deps,
  program: Program,
  customer: AttributedCustomer | undefined,
  payment: Pick<ProcessorPayment, 'order' | 'paidAt'>,
): Promise<readonly Correction[]> {
  if (!customer || !overtakes(payment, customer)) return [];
  const firstPurchaseAt = payment.paidAt.toISOString();
  const corrections: Correction[] = [];
  for await (const sales of salesOf(deps.table, customer.clickId)) {
    const made = await Promise.all(sales.map((sale) => correctionOf(deps, program, sale, firstPurchaseAt)));
    corrections.push(...made.filter((one) => one !== undefined));
  }
  return corrections;
}

async function correctionOf(
  deps: Deps,
  program: Program,
  sale: Sale,
  firstPurchaseAt: string,
): Promise<Correction | undefined> {
  const { table, now } = deps;
  const { transactionId } = sale;
  const [commission, refunds] = await Promise.all([
    findCommission(table, transactionId),
    wasEverReversed(sale) ? storedRefundsOf(table, transactionId) : [],
  ]);
  const terms = commission?.terms && (await termsOfVersion(deps, program, commission.terms.version));
  const first = { firstPurchaseAt, durationMonths: terms?.durationMonths };
  const after = overtaken({ sale, commission }, first, refunds, { actor: 'processor', at: now });
  if (after.sale === sale && after.commission === commission) return undefined;
  return {
    writes: [
      after.sale === sale ? unchangedSaleCheck(sale) : overtakenSaleWrite(sale, after.sale),
      ...(commission && after.commission && after.commission !== commission
        ? [changedCommissionWrite(commission, after.commission)]
        : []),
      ...refundShareWrites(refunds, after.shares, commission?.currency ?? sale.currency),
    ],
    checks: [unchangedSaleCheck(sale), ...(commission ? [unchangedCommissionCheck(commission)] : [])],
  };
}

/** Maximum number of writes for a new sale, its commission and its customer. */
const WRITES_OF_SALE = 16;

/**
 * Returns the corrections as writes for the transaction of the new sale. If they do not fit into it, this function
 * commits each correction in its own transaction first and returns no writes. A retry after an interruption skips the
 * corrections that are already committed.
 * @param others number of other writes in the new sale's transaction
 */
export async function correctionWrites(
  { table }: Pick<Deps, 'table'>,
  corrections: readonly Correction[],
  others: number,
): Promise<readonly Write[]> {
  const all = corrections.flatMap(({ writes }) => writes);
  if (all.length + others + WRITES_OF_SALE <= MOST_WRITES) return all;
  for (const { writes, checks } of corrections) await table.transactLong(writes, checks);
  return [];
}
