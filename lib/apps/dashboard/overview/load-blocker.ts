import type { Api } from '#lib/apps/web/api/api.ts';
import type { Readiness } from '#lib/wire/reports/readiness.ts';

/**
 * Paths of programs whose setup is complete. A complete setup stays complete, so the overview does not ask for it again
 * at every visit.
 */
const finished = new Set<string>();

/** Loads the name of the step that is missing in the setup of a program; null if none is missing. @throws ApiError */
export async function loadBlocker(api: Api, path: string): Promise<Readiness['blocker']> {
  if (finished.has(path)) return null;
  const { blocker } = await api.get<Readiness>(`${path}/readiness`);
  if (blocker === null) finished.add(path);
  return blocker;
}
