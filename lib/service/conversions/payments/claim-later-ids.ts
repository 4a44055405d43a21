import { lacksTax, taxOf } from '#lib/service/conversions/payments/late-tax.ts';
import { recordsPaymentOf, type Sale, type SaleFacts } from '#lib/service/conversions/sales/sale.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { type PaymentTrace, tracePayment } from '#lib/service/conversions/payments/payments-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { soleSaleOf } from '#lib/service/conversions/payments/duplicate-sales.ts';
import type { SamePayment } from '#lib/service/conversions/payments/same-payment.ts';
import { updateSale } from '#lib/service/conversions/sales/update-sale.ts';

/**
 * Handles a call that repeats a payment and contains ids or a tax that were not known before. All of the call's ids are
 * linked to the sale, and refunds and disputes that waited for these ids are applied. If one of the ids has a separate
 * sale, the two sales are merged, because they are the same payment. The tax is added if the amounts are equal.
 * @param facts the payment as sent by the call
 * @param before the program's sale that the call repeats
 * @param recorded the sale with the call's transaction id
 * @returns the sale that counts
 * @throws ConditionFailed after a concurrent change: the caller must reload and decide again
 */
export async function claimLaterIds(
  deps: Deps,
  facts: SaleFacts,
  before: Sale,
  recorded: Sale | undefined,
  { traces }: SamePayment,
): Promise<Sale> {
  const own = [before, recorded].filter((one) => recordsPaymentOf(before.programId, one));
  const named = [...own.flatMap((one) => one?.transactionId ?? []), ...traces.flatMap((trace) => trace.transactionIds)];
  const transactionIds = [...new Set(named)];
  const sale = transactionIds.length > 1 ? await soleSaleOf(deps, { transactionIds }) : before;
  if (!sale) return before;
  const tax = facts.amountCents === sale.amountCents ? taxOf(facts) : undefined;
  const isTaxed = tax !== undefined && lacksTax(sale);
  for (const [at, trace] of (await withOwnId(deps.table, facts, recorded, traces)).entries()) {
    const isNew = [...trace.items.values()].some((item) => item?.transactionId === undefined);
    // Only the transaction of the first trace adds the tax. After it, the stored sale differs from `sale`.
    const update = isTaxed && at === 0 ? { tax } : undefined;
    if (isNew || update) await updateSale(deps, trace, sale, update ?? {}, []);
  }
  return sale;
}

/**
 * Adds the call's own transaction id to the ids of the first trace, unless the trace contains it or the program has a
 * sale with this id.
 */
async function withOwnId(
  table: Table,
  { transactionId }: SaleFacts,
  recorded: Sale | undefined,
  [first, ...others]: readonly PaymentTrace[],
): Promise<readonly PaymentTrace[]> {
  if (!first) return [];
  const isKnown = recordsPaymentOf(first.programId, recorded) || first.items.has(transactionId);
  if (isKnown) return [first, ...others];
  return [await tracePayment(table, first.programId, [transactionId, ...first.items.keys()]), ...others];
}
