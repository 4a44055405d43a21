import { periodOfMonth } from '#lib/service/ground/values/day.ts';
import type { AgreedTerms } from '#lib/service/programs/terms/terms.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findMonthlySales, fixMonthlySales } from '#lib/service/programs/terms/agreements-items.ts';
import { findCountedMonth } from '#lib/service/conversions/tiers/counted-month-items.ts';
import { countedTierSales } from '#lib/service/ground/counters/counter-readings-items.ts';

/**
 * A partner's number of sales in a past month. After the counters include all sales of the month, the number is stored
 * at its first use and never changes. Until then, the present count is returned as uncertain. Only the number of one
 * month is stored. A late request for an earlier month does not replace it.
 */
export async function monthlySalesOf(
  { table }: Pick<Deps, 'table'>,
  programId: number,
  partnerId: number,
  month: string,
): Promise<Required<AgreedTerms>['monthlySales']> {
  const fixed = await findMonthlySales(table, programId, partnerId);
  if (fixed?.month === month) return { ...fixed, isCertain: true };
  // `countedMonth` is read before the counters: if it includes this month, the counters read afterwards are complete.
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
