import type { Api } from '#lib/apps/dashboard/api.ts';
import type { Option } from '#lib/apps/dashboard/parts/option.ts';
import type { Performance } from '#lib/wire/performance.ts';

/** A period, and the equally long one before it, both day by day. */
export interface Comparison {
  readonly now: Performance;
  readonly previous: Performance;
}

/** Periods to choose from. */
export const ranges = ['7', '30', '90', '365'].map((days): Option => [days, `Last ${days} days`]);

const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

/** The last days with today: the service says which day is today. @throws ApiError */
export async function loadPerformance(api: Api, path: string, days: number): Promise<Comparison> {
  const load = (query: Readonly<Record<string, string>> = {}) => api.get<Performance>(`${path}/performance`, query);
  const recent = await load();
  const now = days === DEFAULT_DAYS ? recent : await load({ from: daysBefore(recent.to, days - 1), to: recent.to });
  const { from, to } = now.previous;
  return { now, previous: await load({ from, to }) };
}

const daysBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10);
