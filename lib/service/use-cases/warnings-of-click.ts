import { warningOfClick } from '#lib/domain/warning-of-click.ts';
import type { WarningCode } from '#lib/domain/warnings.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findClick } from '#lib/service/store/customers.ts';

/** What the click id is that found no customer of a program; nothing where none was sent. */
export async function warningsOfClick(
  { table }: Pick<Deps, 'table'>,
  clickId: string | undefined,
  programId: number,
): Promise<WarningCode[]> {
  if (clickId === undefined) return [];
  const code = warningOfClick(clickId, await findClick(table, clickId), programId);
  return code === undefined ? [] : [code];
}
