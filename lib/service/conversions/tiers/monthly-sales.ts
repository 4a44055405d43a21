import { periodOfMonth } from '#lib/service/ground/values/day.ts';
import type { AgreedTerms } from '#lib/service/programs/terms/terms.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findMonthlySales, fixMonthlySales } from '#lib/service/programs/terms/agreements-items.ts';
import { findCountedMonth } from '#lib/service/conversions/tiers/counted-month-items.ts';
import { countedTierSales } from '#lib/service/ground/counters/counter-readings-items.ts';

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
