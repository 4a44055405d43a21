import { accountNotFound } from '#lib/service/ground/values/refusals.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import {
  findAccountByEmail,
  markSuspended,
  revokedTokenWrites,
  tokensOf,
} from '#lib/service/people/accounts/accounts-items.ts';
import { liveTokensOf } from '#lib/service/people/accounts/new-token.ts';

/**
 * Suspends an account: it cannot sign in, and all its tokens are revoked.
 * @param email trimmed and in lower case
 * @returns the number of tokens that were still valid
 * @throws Refusal if no account has the address
 */
export async function suspendAccount({ table, now }: OperatorDeps, email: string) {
  const accountId = await accountIdOf(table, email);
  // The suspension is stored first, so that no new token can be created while the existing ones are revoked.
  await markSuspended(table, accountId, now.toISOString());
  const live = await liveTokensOf(table, accountId);
  for (const { hash } of await tokensOf(table, accountId)) await table.transact(revokedTokenWrites(accountId, hash));
  return { accountId, tokensRevoked: live.length };
}

/** Lets a suspended account sign in again. @throws Refusal if no account has the address */
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
