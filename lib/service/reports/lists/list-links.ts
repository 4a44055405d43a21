import type { Counter } from '#lib/service/ground/counters/counter.ts';
import type { PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Period } from '#lib/service/ground/values/performance.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { type FiguresWanted, MOST_SORTED, type RankedPage } from '#lib/service/reports/figures/ranking.ts';
import type { ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { type CounterReading, countsOf } from '#lib/service/ground/counters/counter-readings-items.ts';
import { findLink, firstLinks, type LinkFilter, linksOf } from '#lib/service/programs/links/links-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { type Comparison, figuresOf, rowsByFigure } from '#lib/service/reports/lists/read-figures.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

export interface CountedLink {
  readonly link: ReferralLink;
  /** The partner of the link; undefined if the operator unlinked it. */
  readonly partner?: Partner;
  /** The counts of a period, or all-time counts. */
  readonly counts: CounterReading;
  /** The link's ranks and figures in the period before, in a list that shows them. */
  readonly comparison?: Comparison;
}

const counterOf = ({ shortLink }: Pick<ReferralLink, 'shortLink'>): Counter => ({ of: 'link', shortLink });

/** Links of a program, each with its partner and figures. */
export async function listLinks(
  deps: Deps,
  program: Program,
  { period, before, sort, currency = program.currency, ...filter }: LinkFilter & FiguresWanted,
  page: PageRequest,
): Promise<RankedPage<CountedLink>> {
  const { table } = deps;
  if (sort === 'created') {
    const { items, next } = await linksOf(table, program.id, filter, page);
    return { items: await Promise.all(items.map((link) => withPartner(deps, link, period))), next };
  }
  const { links, count } = await firstLinks(table, program.id, filter, MOST_SORTED);
  const wanted = { sort, currency, period, before };
  const { items, next } = await rowsByFigure(table, links, counterOf, wanted, page);
  const shown = await Promise.all(
    items.map(async (item): Promise<CountedLink[]> => {
      const [link, figures] = await Promise.all([
        findLink(table, item.shortLink),
        figuresOf(table, counterOf(item), wanted, item),
      ]);
      return link ? [{ link, partner: await partnerOfLink(table, link), ...figures }] : [];
    }),
  );
  return { items: shown.flat(), next, sortedOf: count };
}

export async function withPartner(
  { table }: Pick<Deps, 'table'>,
  link: ReferralLink,
  period?: Period,
): Promise<CountedLink> {
  const [partner, counts] = await Promise.all([
    partnerOfLink(table, link),
    countsOf(table, { of: 'link', shortLink: link.shortLink }, period),
  ]);
  return { link, partner, counts };
}

const partnerOfLink = async (table: Table, { programId, partnerId }: ReferralLink): Promise<Partner | undefined> =>
  programId === undefined || partnerId === undefined ? undefined : findPartner(table, programId, partnerId);
