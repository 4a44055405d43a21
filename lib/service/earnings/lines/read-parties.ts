import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { open } from '#lib/service/ground/effects/vault.ts';
import type { Party } from '#lib/service/ground/parties/party.ts';
import { findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';
import { payerOf } from '#lib/service/people/workspaces/read-payer.ts';
import { findParties } from '#lib/service/earnings/lines/line-parties-items.ts';
import type { LineParties } from '#lib/service/earnings/lines/line-parties.ts';
import type { PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findSealedBilling } from '#lib/service/programs/payout-details/billing-items.ts';
import { isShared } from '#lib/service/programs/payout-details/shared-details.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/** Payer and payee as they are now. The partner's billing details are included while the workspace may see them. */
export async function presentParties(
  deps: Pick<Deps, 'table'>,
  program: Program,
  line: Pick<PayoutLine, 'partnerId'>,
): Promise<LineParties> {
  const { table } = deps;
  const [workspace, payer, partner] = await Promise.all([
    findWorkspace(table, program.workspaceId),
    payerOf(deps, program.workspaceId),
    findPartner(table, program.id, line.partnerId),
  ]);
  const { accountId } = partner ?? {};
  const shares = partner !== undefined && accountId !== undefined && (await isShared(deps, program, partner));
  const billing = shares ? await findSealedBilling(table, accountId) : undefined;
  const { name = workspace?.name, address, country, taxId } = payer ?? {};
  return {
    payer: { name, address, country, taxId },
    payee: { name: partner?.name, ...(billing && { accountId, sealed: billing.sealed }) },
    note: program.statementNote,
  };
}

/** Payer and payee of a line: the present ones while it is `recorded`, later those that were stored with the line. */
export async function partiesOf(deps: Pick<Deps, 'table'>, program: Program, line: PayoutLine): Promise<LineParties> {
  const frozen = line.paidTo === undefined ? undefined : await findParties(deps.table, line);
  return frozen ?? presentParties(deps, program, line);
}

/** The payee with the name and address that the person has set, decrypted. */
export async function openedPayee(deps: Deps, { name, accountId, sealed }: LineParties['payee']): Promise<Party> {
  const set = accountId !== undefined && sealed !== undefined ? await open(deps, sealed, { accountId }) : '{}';
  const party = JSON.parse(set) as Party;
  return { ...party, name: party.name ?? name };
}
