import type { Api } from '#lib/apps/web/api.ts';
import type { Readiness } from '#lib/wire/reports/readiness.ts';

/** Paths of programs whose set-up is finished: that is asked for once, not whenever somebody comes back to the overview. */
const finished = new Set<string>();

/** What keeps the set-up of a program from being finished; null when nothing does. @throws ApiError */
export async function loadBlocker(api: Api, path: string): Promise<Readiness['blocker']> {
  if (finished.has(path)) return null;
  const { blocker } = await api.get<Readiness>(`${path}/readiness`);
  if (blocker === null) finished.add(path);
  return blocker;
}
