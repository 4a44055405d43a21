import { type Performance, performanceOf, type Period, periodBefore } from '#lib/domain/performance.ts';
import type { Deps } from '#lib/service/deps.ts';
import { dailyCounts } from '#lib/service/store/counter-readings.ts';

/** What a program brought in, day by day, from its counters: they may lag some seconds behind the events. */
export async function reportPerformance({ table }: Deps, programId: number, period: Period): Promise<Performance> {
  const { from } = periodBefore(period);
  const counted = await dailyCounts(table, programId, from, period.to);
  return performanceOf(
    period,
    [...counted].map(([date, counts]) => ({ date, ...counts })),
  );
}
