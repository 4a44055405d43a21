import type { Account } from '#lib/service/ground/addresses/account.ts';
import {
  ownStatusAt,
  type Partner,
  type PartnerStatus,
  termsToAccept,
} from '#lib/service/programs/partners/partner.ts';
import { type BrandShown, shownBrand } from '#lib/service/programs/brand/brand.ts';
import { findBrand } from '#lib/service/programs/brand/brands-items.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { partnersOfAccount } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { matchPartners } from '#lib/service/programs/joining/match-partners.ts';

/** Maximum number of programs in a reply, because its size is limited. */
const MOST_PROGRAMS = 1_000;

export interface JoinedProgram {
  readonly program: Program;
  readonly partner: Partner;
  /** The status that the person sees. */
  readonly status: PartnerStatus;
  readonly termsToAccept?: number;
  readonly brand: BrandShown;
}

export interface OwnPrograms {
  readonly account: Account;
  readonly programs: readonly JoinedProgram[];
}

/** Programs in which an account is listed as a partner, including programs that were added since the sign-in. */
export async function listOwnPrograms(deps: Deps, account: Account): Promise<OwnPrograms> {
  await matchPartners(deps, account);
  return { account, programs: await joinedPrograms(deps, account) };
}

/** Programs in which an account currently is a partner. */
export async function joinedPrograms({ table, now }: Deps, account: Account): Promise<JoinedProgram[]> {
  const pointers = await partnersOfAccount(table, account.id, MOST_PROGRAMS);
  const found = await Promise.all(
    pointers.map(async ({ programId, partnerId }): Promise<JoinedProgram[]> => {
      const [program, partner, brand] = await Promise.all([
        findProgram(table, programId),
        findPartner(table, programId, partnerId),
        findBrand(table, programId),
      ]);
      if (!program || partner?.accountId !== account.id) return [];
      const status = ownStatusAt(partner, now);
      const isOpen = status === 'active' || status === 'invited' || status === 'applied';
      const toAccept = isOpen ? termsToAccept(program, partner) : undefined;
      return [{ program, partner, status, termsToAccept: toAccept, brand: shownBrand(program, brand) }];
    }),
  );
  return found.flat().toSorted((one, other) => one.program.id - other.program.id);
}
