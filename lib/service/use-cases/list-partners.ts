import type { EventCounts } from '#lib/domain/counter-readings.ts';
import type { PageRequest } from '#lib/domain/paging.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Period } from '#lib/domain/performance.ts';
import type { Program } from '#lib/domain/program.ts';
import { type FiguresWanted, MOST_SORTED, type RankedPage, rankedPage } from '#lib/domain/ranking.ts';
import type { Deps } from '#lib/service/deps.ts';
import { countsOf } from '#lib/service/store/counter-readings.ts';
import { findPartner, firstPartners, partnersOf } from '#lib/service/store/partners.ts';

export interface CountedPartner {
  readonly partner: Partner;
  readonly counts: EventCounts;
  /** To which the counts belong; absent: since ever. */
  readonly period?: Period;
}

/** Partners of a program, each with what came through it. */
export async function listPartners(
  deps: Deps,
  program: Program,
  { status, period, sort }: FiguresWanted & { readonly status?: Partner['status'] },
  page: PageRequest,
): Promise<RankedPage<CountedPartner>> {
  const { table } = deps;
  if (sort === 'created') {
    const isWanted = (partner: Partner) => status === undefined || partner.status === status;
    const { items, next } = await partnersOf(table, program.id, page, isWanted);
    return { items: await Promise.all(items.map((partner) => withCounts(deps, partner, period))), next };
  }
  const { partners, count } = await firstPartners(table, program, status, MOST_SORTED);
  const counted = await Promise.all(
    partners.map(async ({ partnerId, place }) => ({
      partnerId,
      place,
      counts: await countsOf(table, { of: 'partner', programId: program.id, partnerId }, period),
    })),
  );
  const { items, next } = rankedPage(counted, sort, page);
  const shown = await Promise.all(
    items.map(async ({ partnerId, counts }): Promise<CountedPartner[]> => {
      const partner = await findPartner(table, program.id, partnerId);
      return partner ? [{ partner, counts, period }] : [];
    }),
  );
  return { items: shown.flat(), next, sortedOf: count };
}

export const withCounts = async ({ table }: Deps, partner: Partner, period?: Period): Promise<CountedPartner> => ({
  partner,
  counts: await countsOf(table, { of: 'partner', programId: partner.programId, partnerId: partner.id }, period),
  period,
});
