import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { termsOfPartner, withPartnerTerms } from '#lib/service/programs/terms/agreements.ts';
import { termsIn } from '#lib/service/programs/terms/terms.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { changedAgreementsWrites, findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { termsVersionWrites } from '#lib/service/programs/changed-terms/terms-change-writes.ts';

/** The fields of a partner without an offer, and the writes that remove the group and the personal terms. */
interface EndedOffer {
  readonly wishes: Pick<Partner, 'wishedLink' | 'wishedCode'>;
  readonly writes: readonly Write[];
}

/**
 * Removes what the brand had offered a person whose invitation has ended, or who was rejected: group, personal terms,
 * link and code. A person who then joins or applies on their own does so by the terms of the program, which the page
 * shows, so no mail reports the change. If the brand invites the person again instead, the offer still holds.
 */
export async function endedOffer(
  deps: Deps,
  program: Program,
  { id: partnerId, name }: Pick<Partner, 'id' | 'name'>,
): Promise<EndedOffer> {
  const { id: programId, workspaceId } = program;
  const wishes = { wishedLink: undefined, wishedCode: undefined };
  const before = await findAgreements(deps.table, programId);
  const { group, personal } = termsOfPartner(program, before, { id: partnerId });
  if (!group && !personal) return { wishes, writes: [] };
  const change = withPartnerTerms(program, before, partnerId, { groupId: null, terms: null });
  return {
    wishes,
    writes: [
      ...changedAgreementsWrites(program, before, change),
      ...termsVersionWrites(deps, programId, { id: partnerId, former: change.former }),
      ...auditWrites(deps, workspaceId, {
        action: 'partner.changed',
        target: { type: 'partner', id: partnerId, name, programId },
        changes: changesBetween(
          { groupId: group?.id, terms: personal && termsIn(personal) },
          { groupId: undefined, terms: undefined },
        ),
      }),
    ],
  };
}
