import type { Sale } from '#lib/domain/sale.ts';
import type { Deps } from '#lib/service/deps.ts';
import { soleSaleOf } from '#lib/service/use-cases/duplicate-sales.ts';
import type { SamePayment } from '#lib/service/use-cases/same-payment.ts';
import { updateSale } from '#lib/service/use-cases/update-sale.ts';

/**
 * A repeated call may name more ids of its payment than the first one did: they lead to its sale from now on, and what
 * waited for them is taken off it. Where one of them has a sale of its own, the two are one payment.
 * @param before the program's sale that the call repeats
 * @param recorded the sale of the call's transaction id
 * @returns the sale that counts
 * @throws ConditionFailed after a concurrent change: decide again
 */
export async function claimLaterIds(
  deps: Deps,
  before: Sale,
  recorded: Sale | undefined,
  { traces }: SamePayment,
): Promise<Sale> {
  if (before.isTest) return before;
  const own = [before, recorded].filter((one) => one?.programId === before.programId);
  const named = [...own.flatMap((one) => one?.transactionId ?? []), ...traces.flatMap((trace) => trace.transactionIds)];
  const transactionIds = [...new Set(named)];
  const sale = transactionIds.length > 1 ? await soleSaleOf(deps, { transactionIds }) : before;
  for (const trace of traces) {
    const isNew = [...trace.items.values()].some((item) => item?.transactionId === undefined);
    if (sale && isNew) await updateSale(deps, trace, sale, {}, []);
  }
  return sale ?? before;
}
