import type { Account } from '#lib/domain/account.ts';
import { mailboxOf } from '#lib/domain/email.ts';
import { hasAddress, isRemovedByBrand, type Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findPartner, findPartnerByEmail } from '#lib/service/store/partners.ts';
import { findPayoutDetails } from '#lib/service/store/payout-details.ts';
import { findProgram, programIdsOf } from '#lib/service/store/programs.ts';
import { partnersWithAccountOf } from '#lib/service/use-cases/same-account.ts';

type ReadDeps = Pick<Deps, 'table'>;

/**
 * Whether somebody seems to be a partner whom the workspace has removed: by the address or the account that is paid in any
 * of its programs, or by the mailbox of the address in this one. Of a closed account no address is left.
 */
export async function isLikeRemoved({ table }: ReadDeps, program: Program, account: Account): Promise<boolean> {
  const { workspaceId } = program;
  const [known, details] = await Promise.all([
    findPartnerByEmail(table, workspaceId, account.email),
    findPayoutDetails(table, account.id),
  ]);
  const alike = new Set(await partnersWithAccountOf({ table }, workspaceId, details));
  if (known) alike.add(known.id);
  if (alike.size > 0 && (await isAnyRemoved({ table }, workspaceId, alike))) return true;
  const mailbox = mailboxOf(account.email);
  return (await removedOf({ table }, program)).some((one) => hasAddress(one) && mailboxOf(one.email) === mailbox);
}

/** Whether a program of the workspace has removed one of these. Few people are like another one, so few ask. */
async function isAnyRemoved(
  { table }: ReadDeps,
  workspaceId: number,
  partnerIds: ReadonlySet<number>,
): Promise<boolean> {
  const programs = await Promise.all((await programIdsOf(table, workspaceId)).map((id) => findProgram(table, id)));
  const removed = await Promise.all(
    programs.filter((one) => one !== undefined).map((one) => removedOf({ table }, one, partnerIds)),
  );
  return removed.flat().length > 0;
}

/** Partners whom a program has removed. @param among of these only */
async function removedOf(
  { table }: ReadDeps,
  { id: programId, removedPartnerIds }: Program,
  among?: ReadonlySet<number>,
): Promise<Partner[]> {
  const ids = removedPartnerIds.filter((id) => among?.has(id) ?? true);
  const partners = await Promise.all(ids.map((id) => findPartner(table, programId, id)));
  return partners.filter((one) => one !== undefined).filter(isRemovedByBrand);
}
