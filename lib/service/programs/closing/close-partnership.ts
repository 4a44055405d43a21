import { writtenDownActor } from '#lib/service/ground/changes/audit.ts';
import { withoutDomain } from '#lib/service/ground/addresses/email.ts';
import {
  hasAddress,
  isKnownByAddress,
  isRemovedByBrand,
  type Partner,
} from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { forgottenPersonWrites } from '#lib/service/programs/closing/closing-items.ts';
import {
  forgottenAccountWrite,
  type PartnerPointer,
  unmatchedWrites,
} from '#lib/service/people/accounts/partner-accounts-items.ts';
import { formerPartnerAtWrite } from '#lib/service/programs/addresses/partners-at-items.ts';
import { changedStatusWrite, partnerStatusWrites } from '#lib/service/programs/partners/partner-status-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findProgram, programIdsOf } from '#lib/service/programs/program/programs-items.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { stepAudit } from '#lib/service/programs/partners/set-partner-status.ts';

/**
 * Ends the partnership of a closed account in a program, in any status. It does the same as leaving the program. The
 * partner may have commissions and payouts, so it stays, but without address and account, and the text of the
 * application is deleted. If the person never applied or accepted, only the link from the partner to the account is
 * removed, because any other change would show the brand that there was an account. Repeating the call changes nothing.
 */
export const closePartnership = (
  deps: Pick<Deps, 'table' | 'now' | 'random' | 'actor'>,
  accountId: number,
  { programId, partnerId }: PartnerPointer,
): Promise<void> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const [program, before] = await Promise.all([
      findProgram(table, programId),
      findPartner(table, programId, partnerId),
    ]);
    if (!program || before?.accountId !== accountId) {
      await table.transact([forgottenAccountWrite(accountId, { programId })]);
      return;
    }
    if (hasAddress(before) && (await isStranger(deps, program, before))) {
      await table.transact(unmatchedWrites(accountId, before));
      return;
    }
    const after: Partner = {
      ...before,
      name: withoutDomain(before.name),
      status: 'removed',
      leftAt: before.leftAt ?? now.toISOString(),
      wasRemoved: isRemovedByBrand(program, before) || undefined,
      accountId: undefined,
      email: undefined,
      mail: undefined,
      application: undefined,
    };
    const wasPartner = before.status === 'active' || program.removedPartnerIds.includes(partnerId);
    // The audit row shows the person's name as the brand entered it, and no address.
    const actor = deps.actor && writtenDownActor(after);
    const writes = [
      ...stepAudit({ ...deps, actor }, program, before, after),
      ...(await forgottenPersonWrites(table, program, accountId, before, after)),
      ...(hasAddress(before) ? [formerPartnerAtWrite(before)] : []),
      ...(wasPartner ? partnerStatusWrites(program, before, after) : [changedStatusWrite(before, after)]),
    ];
    await table.transactLong(writes, []);
  });

/**
 * Whether all programs of a workspace know only the person's address, because the brand entered it and the person never
 * applied or accepted.
 */
async function isStranger(
  { table }: Pick<Deps, 'table'>,
  { workspaceId }: Program,
  partner: Partner,
): Promise<boolean> {
  if (!isKnownByAddress(partner)) return false;
  const programIds = await programIdsOf(table, workspaceId);
  const relations = await Promise.all(programIds.map((programId) => findPartner(table, programId, partner.id)));
  return relations.every(
    // A partner without an address has already closed the account.
    (one) => !one || (hasAddress(one) && (isKnownByAddress(one) || one.accountId !== partner.accountId)),
  );
}
