import { type TermsOfPartner, termsOfPartner } from '#lib/domain/agreements.ts';
import { ownCurrency } from '#lib/domain/currency.ts';
import type { EventCounts } from '#lib/domain/counter-readings.ts';
import type { PageRequest } from '#lib/domain/paging.ts';
import type { Partner, PartnerStatus } from '#lib/domain/partner.ts';
import type { ShownPayoutDetails } from '#lib/domain/payout-details.ts';
import type { Period } from '#lib/domain/performance.ts';
import type { Program } from '#lib/domain/program.ts';
import { type FiguresWanted, MOST_SORTED, type RankedPage, rankedPage } from '#lib/domain/ranking.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findAgreements } from '#lib/service/store/agreements.ts';
import { countsOf } from '#lib/service/store/counter-readings.ts';
import { payoutDetailsOfPartner } from '#lib/service/store/payout-details.ts';
import { findPartner, firstPartners, partnersOf } from '#lib/service/store/partners.ts';
import { sameAccountOf } from '#lib/service/use-cases/same-account.ts';

export interface CountedPartner {
  readonly partner: Partner;
  readonly counts: EventCounts;
  readonly terms: TermsOfPartner;
  /** To which the counts belong; absent: since ever. */
  readonly period?: Period;
  /** Where its payouts go. */
  readonly payout?: ShownPayoutDetails;
  /** Ids of other partners of the workspace who are paid to the same account. */
  readonly sameAccount?: readonly number[];
}

/** Partners of a program, each with what came through it. */
export async function listPartners(
  deps: Deps,
  program: Program,
  { status, period, sort }: FiguresWanted & { readonly status?: PartnerStatus },
  page: PageRequest,
): Promise<RankedPage<CountedPartner>> {
  const { table, now } = deps;
  if (sort === 'created') {
    const { items, next } = await partnersOf(table, program, { status, now }, page);
    return { items: await Promise.all(items.map((partner) => withCounts(deps, program, partner, period))), next };
  }
  const { partners, count } = await firstPartners(table, program, { status, now }, MOST_SORTED);
  const counted = await Promise.all(
    partners.map(async ({ partnerId, place }) => ({
      partnerId,
      place,
      counts: await countsOf(table, { of: 'partner', programId: program.id, partnerId }, period),
    })),
  );
  const { items, next } = rankedPage(counted, { sort, currency: ownCurrency(program) }, page);
  const agreed = findAgreements(table, program.id);
  const shown = await Promise.all(
    items.map(async ({ partnerId, counts }): Promise<CountedPartner[]> => {
      const [partner, agreements] = await Promise.all([findPartner(table, program.id, partnerId), agreed]);
      if (!partner) return [];
      const details = await detailsOf(deps, program, partner);
      return [{ partner, counts, terms: termsOfPartner(program, agreements, partner), period, ...details }];
    }),
  );
  return { items: shown.flat(), next, sortedOf: count };
}

export async function withCounts(
  { table }: Pick<Deps, 'table'>,
  program: Program,
  partner: Partner,
  period?: Period,
): Promise<CountedPartner> {
  const [counts, agreements, details] = await Promise.all([
    countsOf(table, { of: 'partner', programId: program.id, partnerId: partner.id }, period),
    findAgreements(table, program.id),
    detailsOf({ table }, program, partner),
  ]);
  return { partner, counts, terms: termsOfPartner(program, agreements, partner), period, ...details };
}

/** Where the payouts of a partner go, and who else is paid there. */
export async function detailsOf({ table }: Pick<Deps, 'table'>, { workspaceId }: Program, partner: Partner) {
  const payout = await payoutDetailsOfPartner(table, partner);
  return { payout, sameAccount: await sameAccountOf({ table }, workspaceId, partner, payout) };
}
