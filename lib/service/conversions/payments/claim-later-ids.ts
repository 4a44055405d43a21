import { lacksTax, taxOf } from '#lib/service/conversions/payments/late-tax.ts';
import type { Sale, SaleFacts } from '#lib/service/conversions/sales/sale.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { type PaymentTrace, tracePayment } from '#lib/service/conversions/payments/payments-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { soleSaleOf } from '#lib/service/conversions/payments/duplicate-sales.ts';
import type { SamePayment } from '#lib/service/conversions/payments/same-payment.ts';
import { updateSale } from '#lib/service/conversions/sales/update-sale.ts';

/**
 * A repeated call may tell more of its payment than the first record did. Its ids lead to the sale from now on, also its own
 * one, and what waited for them is taken off the sale. Where one of them has a sale of its own, the two are one payment. The
 * tax of the same amount is the sale's.
 * @param facts as the call has them
 * @param before the program's sale that the call repeats
 * @param recorded the sale of the call's transaction id
 * @returns the sale that counts
 * @throws ConditionFailed after a concurrent change: decide again
 */
export async function claimLaterIds(
  deps: Deps,
  facts: SaleFacts,
  before: Sale,
  recorded: Sale | undefined,
  { traces }: SamePayment,
): Promise<Sale> {
  if (before.isTest) return before;
  const own = [before, recorded].filter((one) => one?.programId === before.programId);
  const named = [...own.flatMap((one) => one?.transactionId ?? []), ...traces.flatMap((trace) => trace.transactionIds)];
  const transactionIds = [...new Set(named)];
  const sale = transactionIds.length > 1 ? await soleSaleOf(deps, { transactionIds }) : before;
  if (!sale) return before;
  const tax = facts.amountCents === sale.amountCents ? taxOf(facts) : undefined;
  const isTaxed = tax !== undefined && lacksTax(sale);
  for (const [at, trace] of (await withOwnId(deps.table, facts, recorded, traces)).entries()) {
    const isNew = [...trace.items.values()].some((item) => item?.transactionId === undefined);
    // Once: the sale has it afterwards, and is not the one that was read.
    const told = isTaxed && at === 0 ? { tax } : undefined;
    if (isNew || told) await updateSale(deps, trace, sale, told ?? {}, []);
  }
  return sale;
}

/** Traces of which the first one has the call's own id, too, where no sale of the program has it. */
async function withOwnId(
  table: Table,
  { transactionId }: SaleFacts,
  recorded: Sale | undefined,
  [first, ...others]: readonly PaymentTrace[],
): Promise<readonly PaymentTrace[]> {
  if (!first) return [];
  const isKnown = recorded?.programId === first.programId || first.items.has(transactionId);
  if (isKnown) return [first, ...others];
  return [await tracePayment(table, first.programId, [transactionId, ...first.items.keys()]), ...others];
}
