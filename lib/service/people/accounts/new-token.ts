import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { LoginToken } from '#lib/service/ground/addresses/credential.ts';
import { type Device, tokensToEnd } from '#lib/service/ground/addresses/login-token.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  forgottenTokenWrite,
  newTokenWrites,
  replacedTokenWrites,
  tokensOf,
} from '#lib/service/people/accounts/accounts-items.ts';
import { findCredentialByHash } from '#lib/service/people/accounts/credentials-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** If an account has too many tokens, at most this many are removed by each sign-in. */
const MOST_ENDED_AT_ONCE = 20;

interface SignedInFrom {
  readonly device: Device;
  /** When the identity provider authenticated the person, ISO 8601. */
  readonly signedInAt: string;
  /** The account's new list of browsers; undefined leaves it unchanged. */
  readonly browsers?: readonly string[];
}

/**
 * Creates a login token. Its writes also remove the tokens that it replaces. Concurrent sign-ins do not see each
 * other's tokens, so an account may exceed the limit until the next sign-in.
 */
export async function newToken(
  { table, now, random }: Deps,
  { id }: Pick<Account, 'id'>,
  signedIn: SignedInFrom,
): Promise<{ token: string; writes: Write[] }> {
  const token = random.loginToken();
  const notes = await tokensOf(table, id);
  const live = await liveAmong(table, notes);
  const gone = notes.filter(({ hash }) => !live.some((one) => one.hash === hash));
  const writes = [
    ...newTokenWrites(id, token, { now, ...signedIn }),
    ...tokensToEnd(live)
      .slice(0, MOST_ENDED_AT_ONCE)
      .flatMap(({ hash }) => replacedTokenWrites(id, hash)),
    ...gone.slice(0, MOST_ENDED_AT_ONCE).map(({ hash }) => forgottenTokenWrite(id, hash)),
  ];
  return { token, writes };
}

/** An account's valid tokens. */
export const liveTokensOf = async (table: Table, accountId: number): Promise<LiveToken[]> =>
  liveAmong(table, await tokensOf(table, accountId));

type LiveToken = LoginToken & { readonly hash: string };

async function liveAmong(table: Table, notes: readonly { readonly hash: string }[]): Promise<LiveToken[]> {
  const found = await Promise.all(
    notes.map(async ({ hash }) => {
      const token = await findCredentialByHash(table, hash);
      return token?.class === 'loginToken' ? [{ ...token, hash }] : [];
    }),
  );
  return found.flat();
}
