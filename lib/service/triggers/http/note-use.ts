import { sha256 } from '#lib/domain/credential.ts';
import type { Table } from '#lib/service/store/table.ts';
import type { RequestContext } from '#lib/service/triggers/http/request-context.ts';

/**
 * Notes that the presented credential was used, once per period: its last use is to the hour or the day. The request
 * does not wait for the note, which may fail.
 */
export function noteUse(
  { authorization, deps }: RequestContext,
  lastUsed: string | undefined,
  period: string,
  note: (table: Table, hash: string, period: string) => Promise<unknown>,
): void {
  if (authorization.scheme !== 'bearer' || (lastUsed && lastUsed >= period)) return;
  note(deps.table, sha256(authorization.token), period).catch(() => undefined);
}
