import type { Counter } from '#lib/service/ground/counters/counter.ts';
import { type Performance, performanceOf, type Period, periodBefore } from '#lib/service/ground/values/performance.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { countsByDay } from '#lib/service/ground/counters/counter-readings-items.ts';

/** Returns the daily figures of a program, partner or link from its counter. They may be some seconds behind. */
export async function reportPerformance({ table }: Deps, counter: Counter, period: Period): Promise<Performance> {
  const { from } = periodBefore(period);
  const counted = await countsByDay(table, counter, from, period.to);
  return performanceOf(
    period,
    [...counted].map(([date, counts]) => ({ date, ...counts })),
  );
}
