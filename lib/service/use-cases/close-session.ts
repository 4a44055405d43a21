import { sha256 } from '#lib/domain/credential.ts';
import type { Deps } from '#lib/service/deps.ts';
import { revokedTokenWrites } from '#lib/service/store/accounts.ts';

/** Revokes a login token at once. */
export const closeSession = ({ table }: Deps, accountId: number, token: string): Promise<void> =>
  table.transact(revokedTokenWrites(accountId, sha256(token)));
