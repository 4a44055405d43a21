import { type LoginToken, sha256, tokenIdOf } from '#lib/service/ground/addresses/credential.ts';
import { tokenNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { revokedTokenWrites, tokensOf } from '#lib/service/people/accounts/accounts-items.ts';
import { liveTokensOf } from '#lib/service/people/accounts/new-token.ts';

const MOST_LISTED = 100;
/** The number of tokens per transaction: each token takes two of its 100 writes. */
const TOKENS_AT_ONCE = 50;

export interface ListedToken extends LoginToken {
  readonly id: string;
  readonly isCurrent: boolean;
}

/** The newest valid tokens of an account. @param current the caller's token */
export async function listTokens(deps: Deps, accountId: number, current: string): Promise<ListedToken[]> {
  const currentHash = sha256(current);
  return (await liveTokensOf(deps.table, accountId))
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    .slice(0, MOST_LISTED)
    .map(({ hash, ...token }) => ({ ...token, id: tokenIdOf(hash), isCurrent: hash === currentHash }));
}

/** Ends one session of an account. @throws Refusal when the account has no session with this id */
export async function endToken({ table }: Deps, accountId: number, id: string): Promise<void> {
  const found = (await tokensOf(table, accountId)).find(({ hash }) => tokenIdOf(hash) === id);
  if (!found) throw tokenNotFound();
  await table.transact(revokedTokenWrites(accountId, found.hash));
}

/**
 * Ends all sessions of an account except the caller's. If the call is interrupted, the next call ends the rest.
 * @returns the number of ended sessions
 */
export async function endOtherTokens({ table }: Deps, accountId: number, current: string): Promise<number> {
  const currentHash = sha256(current);
  const others = (await tokensOf(table, accountId)).filter(({ hash }) => hash !== currentHash);
  for (let at = 0; at < others.length; at += TOKENS_AT_ONCE) {
    const some = others.slice(at, at + TOKENS_AT_ONCE);
    await table.transact(some.flatMap(({ hash }) => revokedTokenWrites(accountId, hash)));
  }
  return others.length;
}
