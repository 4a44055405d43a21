import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { revokedTokenWrites } from '#lib/service/people/accounts/accounts-items.ts';

/** Revokes a login token at once. */
export const closeSession = ({ table }: Deps, accountId: number, token: string): Promise<void> =>
  table.transact(revokedTokenWrites(accountId, sha256(token)));
