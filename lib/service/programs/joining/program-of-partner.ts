import { agreedTerms } from '#lib/service/programs/terms/agreements.ts';
import { linksLeft, ownStatusAt, type Partner, type PartnerStatus } from '#lib/service/programs/partners/partner.ts';
import { type Day, dayOf } from '#lib/service/ground/values/day.ts';
import type { BrandShown } from '#lib/service/programs/brand/brand.ts';
import { brandShown } from '#lib/service/programs/brand/read-brand.ts';
import { nextPayoutDay } from '#lib/service/programs/program/payout-days.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { TermsInForce } from '#lib/service/programs/terms/terms.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { findPartnerTerms, type PartnerTerms } from '#lib/service/programs/joining/partner-terms-items.ts';

/** A program as one of its partners sees it. */
export interface ProgramOfPartner {
  readonly program: Program;
  readonly partner: Partner;
  readonly status: PartnerStatus;
  readonly inForce: TermsInForce;
  readonly linksLeft: number;
  readonly brand: BrandShown;
  readonly terms?: PartnerTerms;
  /** When the partner accepted these terms; absent if they are not accepted yet. */
  readonly acceptedAt?: string;
  /** The next day on which the brand plans to pay; absent if it has planned none. */
  readonly nextPayoutOn?: Day;
}

export async function programOfPartner(
  deps: Deps,
  { program, partner }: Pick<ProgramOfPartner, 'program' | 'partner'>,
): Promise<ProgramOfPartner> {
  const { table, now } = deps;
  const [agreements, terms, brand] = await Promise.all([
    findAgreements(table, program.id),
    findPartnerTerms(table, program),
    brandShown(deps, program),
  ]);
  return seenBy(partner, { program, inForce: agreedTerms(program, agreements, partner.id), terms, brand }, now);
}

/** The program as a partner sees it after this partner was changed. */
export const seenBy = (
  partner: Partner,
  { program, inForce, terms, brand }: Pick<ProgramOfPartner, 'program' | 'inForce' | 'terms' | 'brand'>,
  now: Date,
): ProgramOfPartner => ({
  program,
  partner,
  status: ownStatusAt(partner, now),
  inForce,
  linksLeft: linksLeft(program, partner),
  terms,
  brand,
  nextPayoutOn: nextPayoutDay(program, dayOf(now)),
  acceptedAt: partner.acceptedTerms?.version === terms?.version ? partner.acceptedTerms?.at : undefined,
});
