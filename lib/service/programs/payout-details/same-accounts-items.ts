import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

interface Salt {
  readonly salt: string;
}

/**
 * The salt with which payout accounts are hashed.
 * @param workspaceId undefined for the salt of the whole installation
 * @returns undefined if no account was hashed yet
 */
export const findAccountSalt = async (table: Table, workspaceId?: number): Promise<string | undefined> =>
  (await table.get<Salt>(keys.accountSalt(workspaceId)))?.salt;

/**
 * Stores the salt of the installation, or of a workspace, if there is none. If several requests propose a salt, all of
 * them get the first one.
 */
export const agreeOnAccountSalt = async (table: Table, proposed: string, workspaceId?: number): Promise<string> =>
  (await table.update<Salt>(keys.accountSalt(workspaceId), { setOnce: { salt: proposed } })).salt;

/**
 * Stores the salt of a workspace within the transaction that uses it. If two requests race, the second one reloads and
 * uses the salt of the first.
 */
export const newAccountSaltWrite = (salt: string, workspaceId: number): Write => ({
  name: 'accountSalt',
  key: keys.accountSalt(workspaceId),
  put: { salt },
  condition: { isNew: true },
});

/** The write that records that a partner is paid to an account. It may be repeated. */
export const sameAccountWrite = (workspaceId: number, hash: string, partnerId: number): Write => ({
  name: 'sameAccount',
  key: keys.partnersOfAccount(workspaceId, hash),
  change: { add: { partnerIds: new Set([partnerId]) } },
});

/** The write that records that a partner is no longer paid to an account. */
export const formerAccountWrite = (workspaceId: number, hash: string, partnerId: number): Write => ({
  name: 'formerSameAccount',
  key: keys.partnersOfAccount(workspaceId, hash),
  change: { takeOut: { partnerIds: new Set([partnerId]) } },
});

/** Partners of the workspace who are paid to an account, including removed ones. */
export async function partnersPaidTo(table: Table, workspaceId: number, hash: string): Promise<number[]> {
  const item = await table.get<{ readonly partnerIds?: ReadonlySet<number> }>(
    keys.partnersOfAccount(workspaceId, hash),
  );
  return [...(item?.partnerIds ?? [])].toSorted((a, b) => a - b);
}
