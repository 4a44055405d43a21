import { accountNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/deps.ts';
import { findAccountByEmail, markSuspended, revokedTokenWrites, tokenHashesOf } from '#lib/store/accounts.ts';

/** Suspends an account: it cannot sign in, and all its tokens are revoked. @throws Refusal when nobody has the address */
export async function suspendAccount({ table, now }: Deps, email: string) {
  const accountId = await accountIdOf(table, email);
  // First the mark, which keeps new tokens from being made; then those that were.
  await markSuspended(table, accountId, now.toISOString());
  const hashes = await tokenHashesOf(table, accountId);
  for (const hash of hashes) await table.transact(revokedTokenWrites(accountId, hash));
  return { accountId, tokensRevoked: hashes.length };
}

/** Lets a suspended account sign in again. @throws Refusal when nobody has the address */
export async function unsuspendAccount({ table }: Deps, email: string) {
  const accountId = await accountIdOf(table, email);
  await markSuspended(table, accountId, undefined);
  return { accountId };
}

async function accountIdOf(table: Deps['table'], email: string): Promise<number> {
  const found = await findAccountByEmail(table, email);
  if (!found) throw accountNotFound(email);
  return found.accountId;
}
