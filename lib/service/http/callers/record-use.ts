import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';

/**
 * Records when the request's credential was last used, at most once per period (an hour or a day). The request does not
 * wait for this write, and a failure has no effect on it.
 */
export function recordUse(
  { authorization, deps }: RequestContext,
  lastUsed: string | undefined,
  period: string,
  note: (table: Table, hash: string, period: string) => Promise<unknown>,
): void {
  if (authorization.scheme !== 'bearer' || (lastUsed && lastUsed >= period)) return;
  note(deps.table, sha256(authorization.token), period).catch(() => undefined);
}
