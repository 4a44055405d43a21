import { isNotYetPartner, type Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import { notYetPartner, partnerHasLeft, termsNotAccepted, termsOutdated } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { acceptedWrites } from '#lib/service/store/partner-status.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';
import { ownRelationOf, stepAudit } from '#lib/service/use-cases/set-partner-status.ts';

type AcceptedTerms = NonNullable<Partner['acceptedTerms']>;

/**
 * That a person agrees to the partner terms of a program, as far as it has any.
 * @param version as sent
 * @throws Refusal when it is not the newest one
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

/** A partner accepts the newest partner terms. Repeating it changes nothing. @throws Refusal for other ones */
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
