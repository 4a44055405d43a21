import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

interface Salt {
  readonly salt: string;
}

/** @param workspaceId undefined: of the installation. @returns undefined where nothing was hashed yet */
export const findAccountSalt = async (table: Table, workspaceId?: number): Promise<string | undefined> =>
  (await table.get<Salt>(keys.accountSalt(workspaceId)))?.salt;

/** Of several that make one at once, all get the first. */
export const agreeOnAccountSalt = async (table: Table, proposed: string, workspaceId?: number): Promise<string> =>
  (await table.update<Salt>(keys.accountSalt(workspaceId), { setOnce: { salt: proposed } })).salt;

/** The same within a transaction that uses the salt: of two the loser takes the winner's. */
export const newAccountSaltWrite = (salt: string, workspaceId: number): Write => ({
  name: 'accountSalt',
  key: keys.accountSalt(workspaceId),
  put: { salt },
  condition: { isNew: true },
});

/** That a partner is paid to an account. It may be repeated. */
export const sameAccountWrite = (workspaceId: number, hash: string, partnerId: number): Write => ({
  name: 'sameAccount',
  key: keys.partnersOfAccount(workspaceId, hash),
  change: { add: { partnerIds: new Set([partnerId]) } },
});

/** That a partner is paid elsewhere from now on. */
export const formerAccountWrite = (workspaceId: number, hash: string, partnerId: number): Write => ({
  name: 'formerSameAccount',
  key: keys.partnersOfAccount(workspaceId, hash),
  change: { takeOut: { partnerIds: new Set([partnerId]) } },
});

/** Partners of the workspace who are paid to an account, removed ones included. */
export async function partnersPaidTo(table: Table, workspaceId: number, hash: string): Promise<number[]> {
  const item = await table.get<{ readonly partnerIds?: ReadonlySet<number> }>(
    keys.partnersOfAccount(workspaceId, hash),
  );
  return [...(item?.partnerIds ?? [])].toSorted((a, b) => a - b);
}
