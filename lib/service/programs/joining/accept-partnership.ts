import { checkStep, ownStatusAt, type Partner } from '#lib/service/programs/partners/partner.ts';
import { invitationExpired, partnerHasLeft } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { agreedTo } from '#lib/service/programs/joining/accept-terms.ts';
import { becomeActive } from '#lib/service/programs/joining/decide-application.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { ownRelationOf } from '#lib/service/programs/partners/set-partner-status.ts';

/**
 * Records that a person whom the brand has invited or added accepts, and so becomes a partner. A repeated call changes
 * nothing.
 * @param version of the partner terms, as sent
 * @throws Refusal
 */
export const acceptPartnership = (deps: Deps, own: Partner, version: unknown): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner } = await ownRelationOf(deps, own);
    const status = ownStatusAt(partner, deps.now);
    if (status === 'active') return partner;
    if (status === 'removed') throw partnerHasLeft();
    if (status === 'expired') throw invitationExpired();
    if (partner.status !== 'active') checkStep('join', partner, deps.now);
    return becomeActive(deps, program, partner, agreedTo(deps, program, version));
  });
