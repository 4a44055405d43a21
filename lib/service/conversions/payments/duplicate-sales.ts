import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { lacksTax, taxOf } from '#lib/service/conversions/payments/late-tax.ts';
import { asDuplicate, type Refunded, withReversalsOf } from '#lib/service/conversions/refunds/refund.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { inCurrencyOf } from '#lib/service/conversions/refunds/reported-currency.ts';
import { movedRefundWrite, refundsToMove } from '#lib/service/conversions/refunds/named-refunds-items.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { noTrace, type PaymentTrace } from '#lib/service/conversions/payments/payments-items.ts';
import { refundWrites } from '#lib/service/conversions/refunds/refunds-items.ts';
import { findCommission, findSale } from '#lib/service/conversions/sales/sales-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { refundEvents, updateSale } from '#lib/service/conversions/sales/update-sale.ts';

/**
 * Returns the only sale of a payment. Its ids may lead to several sales, if these were recorded before any event
 * connected the ids. Then the first sale counts: each later one is reversed as a duplicate, and its refunds are applied
 * to the first.
 * @returns undefined if none of the ids has a stored sale
 * @throws ConditionFailed after a concurrent change: the caller must reload and decide again
 */
export async function soleSaleOf(
  deps: Deps,
  { transactionIds }: Pick<PaymentTrace, 'transactionIds'>,
): Promise<Sale | undefined> {
  const [first, ...later] = await salesOfIds(deps.table, transactionIds);
  // Payments with test cards are kept separate and earn nothing.
  if (!first || first.isTest || later.length === 0) return first;
  for (const duplicate of later) {
    await copyTax(deps, first.transactionId, duplicate);
    await reverseDuplicate(deps, first.transactionId, duplicate);
  }
  return findSale(deps.table, first.transactionId);
}

/** Returns the sale of which this sale is a duplicate, or this sale itself if it is no duplicate. */
export async function saleThatCounts(table: Table, sale: Sale): Promise<Sale> {
  const original = await findSale(table, sale.duplicateOf);
  // If a restore of the table lost the first sale, the duplicate counts again.
  return original ? saleThatCounts(table, original) : sale;
}

/** The sales to which these ids lead, without duplicates, in the order in which they were recorded. */
async function salesOfIds(table: Table, ids: readonly string[]): Promise<Sale[]> {
  const found = await Promise.all(ids.map((id) => findSale(table, id)));
  const counting = await Promise.all(found.flatMap((sale) => (sale ? [saleThatCounts(table, sale)] : [])));
  const different = new Map(counting.map((sale) => [sale.transactionId, sale]));
  return [...different.values()].toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.id - b.id);
}

interface SaleState {
  readonly sale: Sale;
  readonly commission?: SaleCommission;
}

/**
 * Copies the tax from the duplicate to the first sale. This must happen before the duplicate is reversed, because then
 * nothing leads from one sale to the other any more.
 */
async function copyTax(deps: Deps, firstId: string, duplicate: Sale): Promise<void> {
  const first = await findSale(deps.table, firstId);
  const tax = taxOf(duplicate);
  if (!first || !lacksTax(first) || !tax) return;
  await updateSale(deps, noTrace(first.programId), first, { tax }, []);
  deps.table.forget();
}

/** How many refunds with ids one transaction moves. */
const MOST_MOVED = 50;

/**
 * Reverses a duplicate and applies its refunds to the first sale, in one transaction. At any time, each refund is on
 * exactly one of the two sales. If the duplicate has very many refunds with ids, earlier transactions apply the first of
 * them.
 */
async function reverseDuplicate(deps: Deps, firstId: string, duplicate: Sale): Promise<void> {
  const { table, now } = deps;
  const [first, commission, ofDuplicate, named] = await Promise.all([
    findSale(table, firstId),
    findCommission(table, firstId),
    findCommission(table, duplicate.transactionId),
    refundsToMove(table, duplicate.transactionId, firstId),
  ]);
  if (!first) return;
  const change = { actor: 'processor', at: now } as const;
  const kept = { sale: first, commission };
  const lost = { sale: duplicate, commission: ofDuplicate };
  const { currency, amountCents: chargeCents } = duplicate;
  const moved = named.slice(0, MOST_MOVED).map((one) => {
    const amountCents = inCurrencyOf(first, { currency, chargeCents }, one.amountCents);
    return { amountCents, write: movedRefundWrite(firstId, one, amountCents) };
  });
  const movedCents = sumOf(moved.map(({ amountCents }) => amountCents));
  const isLast = moved.length === named.length;
  const source = isLast ? duplicate : { ...duplicate, refundedCents: 0, reversals: undefined };
  await table.transact([
    ...(isLast ? await writesOf(deps, lost, asDuplicate(lost, firstId, change)) : []),
    ...(await writesOf(deps, kept, withReversalsOf(kept, source, movedCents, change))),
    ...moved.map(({ write }) => write),
  ]);
  table.forget();
  if (!isLast) await reverseDuplicate(deps, firstId, duplicate);
}

/**
 * Fails if a refund, a payout or another event of the payment has changed one of the two sales. This request then
 * reloads and decides again.
 */
const writesOf = async (deps: Deps, before: SaleState, after: Refunded): Promise<Write[]> =>
  after.sale === before.sale
    ? []
    : refundWrites(before, after, await refundEvents(deps, after)).map((write, index) => ({
        ...write,
        name: `${write.name} ${before.sale.id} ${index}`,
      }));
