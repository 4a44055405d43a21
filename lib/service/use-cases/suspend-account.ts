import { accountNotFound } from '#lib/domain/refusals.ts';
import type { OperatorDeps } from '#lib/service/deps.ts';
import { findAccountByEmail, markSuspended, revokedTokenWrites, tokensOf } from '#lib/service/store/accounts.ts';

/**
 * Suspends an account: it cannot sign in, and all its tokens are revoked. @param email trimmed and lower-cased
 * @returns how many tokens were still valid
 * @throws Refusal when no account has the address
 */
export async function suspendAccount({ table, now }: OperatorDeps, email: string) {
  const accountId = await accountIdOf(table, email);
  // First the mark, which prevents new tokens; then the existing tokens.
  await markSuspended(table, accountId, now.toISOString());
  const tokens = await tokensOf(table, accountId);
  for (const { hash } of tokens) await table.transact(revokedTokenWrites(accountId, hash));
  const nowSeconds = now.getTime() / 1000;
  return { accountId, tokensRevoked: tokens.filter(({ expiresAtSeconds }) => expiresAtSeconds > nowSeconds).length };
}

/** Lets a suspended account sign in again. @throws Refusal when no account has the address */
export async function unsuspendAccount({ table }: OperatorDeps, email: string) {
  const accountId = await accountIdOf(table, email);
  await markSuspended(table, accountId, undefined);
  return { accountId };
}

async function accountIdOf(table: OperatorDeps['table'], email: string): Promise<number> {
  const found = await findAccountByEmail(table, email);
  if (!found) throw accountNotFound(email);
  return found.accountId;
}
