import type { Api } from '#lib/apps/web/api/api.ts';
import { type Period, periodBefore } from '#lib/apps/web/period.ts';
import type { Performance } from '#lib/apps/web/report/performance.ts';

/** The figures of a period, and those of the period of the same length before it, for each day. */
export interface Comparison {
  readonly now: Performance;
  readonly previous: Performance;
}

/**
 * Loads the figures of both periods in parallel. If the period has no first or last day, the reply for it says which
 * days the previous period has, so that one is loaded afterwards.
 * @throws ApiError
 */
export async function loadPerformance(api: Api, path: string, { from, to }: Period): Promise<Comparison> {
  const load = (query: Period) => api.get<Performance>(`${path}/performance`, { ...query });
  const isKnown = from !== undefined && to !== undefined && from <= to;
  const [now, previous] = await Promise.all([
    load({ from, to }),
    isKnown ? load(periodBefore({ from, to })) : undefined,
  ]);
  return { now, previous: previous ?? (await load({ from: now.previous.from, to: now.previous.to })) };
}
