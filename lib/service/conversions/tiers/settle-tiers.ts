import { withCertainSales } from '#lib/service/conversions/tiers/tier-sales.ts';
import { awaitsMonth } from '#lib/service/earnings/commissions/commission.ts';
import { wasEverReversed } from '#lib/service/conversions/refunds/reversals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  awaitingMonthRemoval,
  type AwaitingMonth,
  awaitingMonths,
} from '#lib/service/earnings/commissions/awaiting-month-items.ts';
import {
  changedCommissionWrite,
  unchangedCommissionCheck,
} from '#lib/service/earnings/commissions/commissions-items.ts';
import { refundShareWrites, storedRefundsOf } from '#lib/service/conversions/refunds/refunds-items.ts';
import { findCommission, findSale, unchangedSaleCheck } from '#lib/service/conversions/sales/sales-items.ts';
import { countMonth } from '#lib/service/conversions/tiers/count-month.ts';
import { monthlySalesOf } from '#lib/service/conversions/tiers/monthly-sales.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** How many commissions are corrected in parallel. More would only wait for a connection to the table. */
const AT_ONCE = 20;

/**
 * Commissions with tiers depend on the partner's number of sales in the previous month. If a commission was computed
 * before that number was final, it is corrected here. Each transaction corrects one commission and removes it from the
 * list of waiting ones, so the next run can continue. If a correction fails, the others are still made.
 */
export async function settleTiers(deps: Deps, probes?: number): Promise<void> {
  let counted: string | undefined;
  for await (const page of awaitingMonths(deps.table)) {
    if (page.length === 0) continue;
    counted ??= await countMonth(deps, probes);
    if (counted === undefined) return;
    const some = page.filter(({ month }) => month <= counted!);
    for (let at = 0; at < some.length; at += AT_ONCE) {
      if (deps.ending?.aborted) return;
      deps.table.forget();
      await Promise.all(some.slice(at, at + AT_ONCE).map((one) => settleOne(deps, one)));
    }
  }
}

async function settleOne(deps: Deps, awaiting: AwaitingMonth): Promise<void> {
  try {
    await retryOnConflict(deps, () => decide(deps, awaiting));
  } catch (error) {
    deps.log.error('tier_unsettled', error, { month: awaiting.month });
  }
}

async function decide(deps: Deps, awaiting: AwaitingMonth): Promise<void> {
  const { table, now } = deps;
  const { transactionId, month } = awaiting;
  const [sale, commission] = await Promise.all([findSale(table, transactionId), findCommission(table, transactionId)]);
  const done = awaitingMonthRemoval(awaiting);
  // Nothing to correct: no commission is due any more, or the commission moved and depends on another month.
  if (!sale || !commission || !awaitsMonth(commission) || commission.tierSales?.month !== month) {
    return table.transact([done]);
  }
  const { sales } = await monthlySalesOf(deps, commission.programId, commission.partnerId, month);
  const refunds = wasEverReversed(sale) ? await storedRefundsOf(table, transactionId) : [];
  const settled = withCertainSales(sale, commission, sales, refunds, { actor: 'operator', at: now });
  await table.transactLong(
    [
      unchangedSaleCheck(sale),
      changedCommissionWrite(commission, settled.commission),
      done,
      ...refundShareWrites(refunds, settled.shares, commission.currency),
    ],
    [unchangedSaleCheck(sale), unchangedCommissionCheck(commission)],
  );
}
