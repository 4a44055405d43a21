import { type TermsOfPartner, termsOfPartner } from '#lib/service/programs/terms/agreements.ts';
import type { EventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import type { PageRequest } from '#lib/service/ground/values/paging.ts';
import type { PartnerShare } from '#lib/service/programs/partners/partner-share.ts';
import type { Partner, PartnerStatus } from '#lib/service/programs/partners/partner.ts';
import type { Period } from '#lib/service/ground/values/performance.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { type FiguresWanted, MOST_SORTED, type RankedPage } from '#lib/service/reports/figures/ranking.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { countsOf } from '#lib/service/ground/counters/counter-readings-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { firstPartners, partnersOf } from '#lib/service/programs/partners/listed-partners-items.ts';
import { type Comparison, figuresOf, rowsByFigure } from '#lib/service/reports/lists/read-figures.ts';
import { shareOf } from '#lib/service/programs/payout-details/shared-details.ts';
import { sameAccountOf } from '#lib/service/programs/payout-details/same-account.ts';

export interface CountedPartner {
  readonly partner: Partner;
  readonly counts: EventCounts;
  readonly terms: TermsOfPartner;
  /** The period of the counts; undefined means all time. */
  readonly period?: Period;
  /** The partner's payout details, as far as the brand may see them. */
  readonly share: PartnerShare;
  /** Ids of other partners of the workspace who are paid to the same account. */
  readonly sameAccount?: readonly number[];
  /** The partner's ranks and figures in the period before, in a list that shows them. */
  readonly comparison?: Comparison;
}

/** Partners of a program, each with its figures. */
export async function listPartners(
  deps: Deps,
  program: Program,
  {
    status,
    isQueued,
    period,
    before,
    sort,
    currency = program.currency,
  }: FiguresWanted & { readonly status?: PartnerStatus; readonly isQueued?: boolean },
  page: PageRequest,
): Promise<RankedPage<CountedPartner>> {
  const { table, now } = deps;
  if (sort === 'created') {
    const { items, next } = await partnersOf(table, program, { status, isQueued, now }, page);
    return { items: await Promise.all(items.map((partner) => withCounts(deps, program, partner, { period }))), next };
  }
  const { partners, count } = await firstPartners(table, program, { status, isQueued, now }, MOST_SORTED);
  const counterOf = ({ partnerId }: { readonly partnerId: number }) =>
    ({ of: 'partner', programId: program.id, partnerId }) as const;
  const wanted = { sort, currency, period, before };
  const { items, next } = await rowsByFigure(table, partners, counterOf, wanted, page);
  const agreed = findAgreements(table, program.id);
  const shown = await Promise.all(
    items.map(async (item): Promise<CountedPartner[]> => {
      const [partner, agreements, figures] = await Promise.all([
        findPartner(table, program.id, item.partnerId),
        agreed,
        figuresOf(table, counterOf(item), wanted, item),
      ]);
      if (!partner) return [];
      const seen = await sharedWith(deps, program, partner);
      return [{ partner, ...figures, terms: termsOfPartner(program, agreements, partner), period, ...seen }];
    }),
  );
  return { items: shown.flat(), next, sortedOf: count };
}

/**
 * A partner with its counts and figures.
 * @param mayChange whether the partner may still change before the reply is built
 */
export async function withCounts(
  { table }: Pick<Deps, 'table'>,
  program: Program,
  partner: Partner,
  { period, mayChange }: { readonly period?: Period; readonly mayChange?: true } = {},
): Promise<CountedPartner> {
  const [counts, agreements, seen] = await Promise.all([
    countsOf(table, { of: 'partner', programId: program.id, partnerId: partner.id }, period),
    findAgreements(table, program.id),
    sharedWith({ table }, program, partner, mayChange),
  ]);
  return { partner, counts, terms: termsOfPartner(program, agreements, partner), period, ...seen };
}

/** A partner's shared payout details, and other partners paid to the same account. */
async function sharedWith(
  deps: Pick<Deps, 'table'>,
  program: Program,
  partner: Partner,
  mayChange?: true,
): Promise<Pick<CountedPartner, 'share' | 'sameAccount'>> {
  const share = await shareOf(deps, program, partner, mayChange);
  return { share, sameAccount: await sameAccountOf(deps, program.workspaceId, partner, share.details) };
}
