import type { Account } from '#lib/domain/account.ts';
import { mailboxOf } from '#lib/domain/email.ts';
import { hasAddress } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findPartner } from '#lib/service/store/partners.ts';
import { findPayoutDetails } from '#lib/service/store/payout-details.ts';
import { partnersWithAccountOf } from '#lib/service/use-cases/same-account.ts';

/**
 * Whether somebody seems to be a partner whom the program has removed: by the mailbox of the address, or by the account
 * that is paid. Whoever left by themselves was not removed.
 */
export async function isLikeRemoved(
  { table }: Pick<Deps, 'table'>,
  { id: programId, workspaceId, removedPartnerIds }: Program,
  { id: accountId, email }: Account,
): Promise<boolean> {
  if (removedPartnerIds.length === 0) return false;
  const [partners, details] = await Promise.all([
    Promise.all(removedPartnerIds.map((id) => findPartner(table, programId, id))),
    findPayoutDetails(table, accountId),
  ]);
  const paidThere = new Set(await partnersWithAccountOf({ table }, workspaceId, details));
  const mailbox = mailboxOf(email);
  return partners.some(
    (partner) =>
      partner !== undefined &&
      partner.leftAt === undefined &&
      (paidThere.has(partner.id) || (hasAddress(partner) && mailboxOf(partner.email) === mailbox)),
  );
}
