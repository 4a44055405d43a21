import { periodOfMonth } from '#lib/domain/day.ts';
import type { AgreedTerms } from '#lib/domain/terms.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findMonthlySales, fixMonthlySales } from '#lib/service/store/agreements.ts';
import { findCountedMonth } from '#lib/service/store/counted-month.ts';
import { countedTierSales } from '#lib/service/store/counter-readings.ts';

/**
 * What a partner sold in a month that is over. The number is fixed when it is first needed after every sale of the month
 * is counted, and stays. Before that it is what the counters know by now, and not certain. A request from before
 * midnight may come after one of the next month: the later number stays.
 */
export async function monthlySalesOf(
  { table }: Pick<Deps, 'table'>,
  programId: number,
  partnerId: number,
  month: string,
): Promise<Required<AgreedTerms>['monthlySales']> {
  const fixed = await findMonthlySales(table, programId, partnerId);
  if (fixed?.month === month) return { ...fixed, isCertain: true };
  // Read before the counters: what they say afterwards is all of it.
  const { month: countedMonth = '' } = await findCountedMonth(table);
  const isCertain = month <= countedMonth;
  const counted = {
    month,
    sales: await countedTierSales(table, programId, partnerId, periodOfMonth(month)),
    isCertain,
  };
  if (!isCertain || (fixed && fixed.month > month)) return counted;
  const now = await fixMonthlySales(table, programId, partnerId, fixed, counted);
  return now.month === month ? { ...now, isCertain } : counted;
}
