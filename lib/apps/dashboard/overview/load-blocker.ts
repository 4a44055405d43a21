import type { Api } from '#lib/apps/web/api/api.ts';
import type { Readiness } from '#lib/wire/reports/readiness.ts';

/**
 * Paths of programs whose setup is complete. A path is checked only until it is complete, not on every visit of the
 * overview.
 */
const finished = new Set<string>();

/** The gate that blocks the setup of a program; null if the setup is complete. @throws ApiError */
export async function loadBlocker(api: Api, path: string): Promise<Readiness['blocker']> {
  if (finished.has(path)) return null;
  const { blocker } = await api.get<Readiness>(`${path}/readiness`);
  if (blocker === null) finished.add(path);
  return blocker;
}
