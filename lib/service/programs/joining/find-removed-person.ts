import type { Account } from '#lib/service/ground/addresses/account.ts';
import { isRemovedByBrand } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartnerByEmail } from '#lib/service/programs/partners/known-partners-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findPayoutDetails } from '#lib/service/programs/payout-details/payout-details-items.ts';
import { findProgram, programIdsOf } from '#lib/service/programs/program/programs-items.ts';
import { partnersRemovedWith, partnersWithAccountOf } from '#lib/service/programs/payout-details/same-account.ts';

type ReadDeps = Pick<Deps, 'table'>;

/**
 * Whether the person resembles a partner whom the workspace has removed from any of its programs: has the same address,
 * mailbox or payout account. After a removed person has closed the account, only hashes of these are stored.
 */
export async function isLikeRemoved({ table }: ReadDeps, { workspaceId }: Program, account: Account): Promise<boolean> {
  const [known, removed, details] = await Promise.all([
    findPartnerByEmail(table, workspaceId, account.email),
    partnersRemovedWith({ table }, workspaceId, account.email),
    findPayoutDetails(table, account.id),
  ]);
  const alike = new Set([...removed, ...(await partnersWithAccountOf({ table }, workspaceId, details))]);
  if (known) alike.add(known.id);
  return alike.size > 0 && isAnyRemoved({ table }, workspaceId, alike);
}

/**
 * Whether a program of the workspace has removed one of these partners. These reads are made for few applicants only,
 * because few resemble another partner.
 */
async function isAnyRemoved(
  { table }: ReadDeps,
  workspaceId: number,
  partnerIds: ReadonlySet<number>,
): Promise<boolean> {
  const programs = await Promise.all((await programIdsOf(table, workspaceId)).map((id) => findProgram(table, id)));
  const isRemoved = programs.flatMap((program) =>
    (program?.removedPartnerIds ?? [])
      .filter((id) => partnerIds.has(id))
      .map(async (id) => {
        const partner = await findPartner(table, program!.id, id);
        return partner !== undefined && isRemovedByBrand(program!, partner);
      }),
  );
  return (await Promise.all(isRemoved)).includes(true);
}
