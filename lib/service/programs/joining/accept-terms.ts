import { isNotYetPartner, type Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { notYetPartner, partnerHasLeft, termsNotAccepted, termsOutdated } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { acceptedWrites } from '#lib/service/programs/partners/partner-status-items.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { ownRelationOf, stepAudit } from '#lib/service/programs/partners/set-partner-status.ts';

type AcceptedTerms = NonNullable<Partner['acceptedTerms']>;

/**
 * Records that a person accepts the partner terms of a program, if it has any.
 * @param version as sent
 * @throws Refusal when `version` is not the newest one
 */
export function agreedTo(
  { now }: Deps,
  { partnerTermsVersion }: Program,
  version: unknown,
): { readonly acceptedTerms?: AcceptedTerms } {
  if (version === undefined && partnerTermsVersion !== undefined) throw termsNotAccepted();
  if (version !== partnerTermsVersion) throw termsOutdated();
  return partnerTermsVersion === undefined
    ? {}
    : { acceptedTerms: { version: partnerTermsVersion, at: now.toISOString() } };
}

/**
 * Records that a partner accepts the newest terms. A repeated call changes nothing. @throws Refusal for an older
 * version
 */
export const acceptTerms = (deps: Deps, own: Partner, version: unknown): Promise<AcceptedTerms> =>
  retryOnConflict(deps, async () => {
    const { program, partner } = await ownRelationOf(deps, own);
    if (partner.status === 'removed') throw partnerHasLeft();
    if (isNotYetPartner(partner, deps.now)) throw notYetPartner();
    const { acceptedTerms } = agreedTo(deps, program, version);
    if (!acceptedTerms) throw termsOutdated();
    const held = partner.acceptedTerms;
    if (held?.version === acceptedTerms.version) return held;
    await deps.table.transact([
      ...acceptedWrites(program, partner, { ...partner, acceptedTerms }),
      ...stepAudit(deps, program, partner, { ...partner, acceptedTerms }),
    ]);
    return acceptedTerms;
  });
