import { warningOfClick } from '#lib/service/traffic/clicks/warning-of-click.ts';
import type { WarningCode } from '#lib/service/ground/values/warnings.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findClick } from '#lib/service/traffic/clicks/clicks-items.ts';

/** Returns a warning about a click id that found no customer of the program. Empty if no click id was sent. */
export async function warningsOfClick(
  { table }: Pick<Deps, 'table'>,
  clickId: string | undefined,
  programId: number,
): Promise<WarningCode[]> {
  if (clickId === undefined) return [];
  const code = warningOfClick(clickId, await findClick(table, clickId), programId);
  return code === undefined ? [] : [code];
}
