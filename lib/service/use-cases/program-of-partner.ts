import { agreedTerms } from '#lib/domain/agreements.ts';
import { linksLeft, ownStatusAt, type Partner, type PartnerStatus } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import type { TermsInForce } from '#lib/domain/terms.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findAgreements } from '#lib/service/store/agreements.ts';
import { findPartnerTerms, type PartnerTerms } from '#lib/service/store/partner-terms.ts';

/** A program as its partner sees it. */
export interface ProgramOfPartner {
  readonly program: Program;
  readonly partner: Partner;
  readonly status: PartnerStatus;
  readonly inForce: TermsInForce;
  readonly linksLeft: number;
  readonly terms?: PartnerTerms;
  /** When the partner accepted these terms. */
  readonly acceptedAt?: string;
}

export async function programOfPartner(
  { table, now }: Deps,
  { program, partner }: Pick<ProgramOfPartner, 'program' | 'partner'>,
): Promise<ProgramOfPartner> {
  const [agreements, terms] = await Promise.all([findAgreements(table, program.id), findPartnerTerms(table, program)]);
  return seenBy(partner, { program, inForce: agreedTerms(program, agreements, partner.id), terms }, now);
}

/** The same for a partner that has changed since. */
export const seenBy = (
  partner: Partner,
  { program, inForce, terms }: Pick<ProgramOfPartner, 'program' | 'inForce' | 'terms'>,
  now: Date,
): ProgramOfPartner => ({
  program,
  partner,
  status: ownStatusAt(partner, now),
  inForce,
  linksLeft: linksLeft(program, partner),
  terms,
  acceptedAt: partner.acceptedTerms?.version === terms?.version ? partner.acceptedTerms?.at : undefined,
});
