import type { Api } from '#lib/apps/web/api/api.ts';
import { type Period, periodBefore } from '#lib/apps/web/period.ts';
import type { Performance } from '#lib/apps/web/report/performance.ts';

/** A period and the equally long one before it, both day by day. */
export interface Comparison {
  readonly now: Performance;
  readonly previous: Performance;
}

/**
 * Loads both periods at once. For a period without first or last day, the previous one is only known from the service's
 * reply.
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
