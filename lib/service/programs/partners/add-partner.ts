import { invitationMail } from '#lib/service/programs/partners/partner-mails.ts';
import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { AddressedPartner, Partner } from '#lib/service/programs/partners/partner.ts';
import { MOST_PARTNERS, type Program } from '#lib/service/programs/program/program.ts';
import {
  partnerAlreadyInProgram,
  partnersFull,
  programNotFound,
  programPaused,
} from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartnerByEmail } from '#lib/service/programs/partners/known-partners-items.ts';
import { findPartner, newPartnerWrites } from '#lib/service/programs/partners/partners-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { nextNumber } from '#lib/service/ground/counters/sequence-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { countInvitation } from '#lib/service/people/invitations/count-invitation.ts';
import { withFirstLink } from '#lib/service/programs/links/first-link.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Adds a partner, who has a link and earns at once, to a program, or invites a person to become a partner. In both
 * cases the person must still accept. A person whom the workspace knows by this e-mail address keeps id and name.
 * @param wanted e-mail trimmed and lower-cased
 * @throws Refusal when the partner is in the program already in any status, the program is paused or full, or no
 * further invitation may be sent
 */
export const addPartner = (
  deps: Deps,
  programId: number,
  { invite, ...wanted }: Pick<AddressedPartner, 'name' | 'email' | 'wishedLink'> & { readonly invite?: boolean },
): Promise<AddressedPartner> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const program = await findProgram(table, programId);
    if (!program) throw programNotFound();
    const known = await findPartnerByEmail(table, program.workspaceId, wanted.email);
    if (known && (await findPartner(table, programId, known.id))) throw partnerAlreadyInProgram();
    const status = invite ? 'invited' : 'active';
    checkRoom(program, status);
    const counted = invite ? await countInvitation(deps, program, wanted.email) : [];
    const { partner, writes: ofLink } = await withFirstLink<AddressedPartner>(deps, program, {
      id: known?.id ?? (await nextNumber(table, 'partner')),
      programId,
      name: known?.name ?? wanted.name,
      email: wanted.email,
      status,
      links: [],
      wishedLink: wanted.wishedLink,
      ...(invite && { invitedAt: now.toISOString() }),
      createdAt: now.toISOString(),
    });
    const { id, name, email } = partner;
    await table.transact([
      ...newPartnerWrites(program, partner, known !== undefined),
      ...counted,
      ...ofLink,
      ...(invite ? invitationMail(deps, program, partner, partner) : []),
      ...auditWrites(deps, program.workspaceId, {
        action: 'partner.added',
        target: { type: 'partner', id, name, programId },
        changes: changesBetween({}, { name, email, ...(invite && { status }) }),
      }),
    ]);
    return partner;
  });

/**
 * Checks that a program's limits allow another partner.
 * @throws Refusal when a program has no room for another partner of this status
 */
export function checkRoom({ status, partnerCount, candidateCount = 0 }: Program, wanted: Partner['status']): void {
  if (status === 'paused') throw programPaused();
  // Applications are never refused, because they wait in the queue.
  if (wanted === 'applied') return;
  const count = wanted === 'active' ? partnerCount : candidateCount;
  if (count >= MOST_PARTNERS) throw partnersFull(MOST_PARTNERS);
}
