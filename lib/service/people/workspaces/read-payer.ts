import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { open } from '#lib/service/ground/effects/vault.ts';
import { payerIncomplete } from '#lib/service/ground/values/refusals.ts';
import type { Payer } from '#lib/service/people/workspaces/payer.ts';
import { findPayer } from '#lib/service/people/workspaces/payer-items.ts';

/** Who pays the partners of a workspace; undefined if no owner has entered it. */
export const payerOf = ({ table }: Pick<Deps, 'table'>, workspaceId: number): Promise<Payer | undefined> =>
  findPayer(table, workspaceId);

/** The account from which a workspace pays. */
export interface PayerAccount {
  readonly name: string;
  readonly iban: string;
  readonly bic?: string;
}

/** Returns the account from which a workspace pays, decrypted. @throws Refusal if the name or the IBAN is not set */
export async function payerAccountOf(deps: Deps, workspaceId: number): Promise<PayerAccount> {
  const { name, sealedIban, bic } = (await findPayer(deps.table, workspaceId)) ?? {};
  if (name === undefined || sealedIban === undefined) throw payerIncomplete();
  return { name, iban: await open(deps, sealedIban, { workspaceId }), bic };
}
