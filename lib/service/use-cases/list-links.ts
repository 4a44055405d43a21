import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { ReferralLink } from '#lib/domain/referral-link.ts';
import type { Deps } from '#lib/service/deps.ts';
import { type CounterReading, countsOf } from '#lib/service/store/counter-readings.ts';
import { linksOf } from '#lib/service/store/links.ts';
import { findPartner } from '#lib/service/store/partners.ts';

export interface CountedLink {
  readonly link: ReferralLink;
  /** Absent when the operator unlinked it. */
  readonly partner?: Partner;
  /** Since ever. */
  readonly counts: CounterReading;
}

export interface LinkFilter {
  readonly partnerId?: number;
  readonly status?: ReferralLink['status'];
}

/** Links of a program, oldest first, each with its partner and what came through it. */
export async function listLinks(
  deps: Deps,
  programId: number,
  { partnerId, status }: LinkFilter,
  page: PageRequest,
): Promise<Page<CountedLink>> {
  const { items, next } = await linksOf(
    deps.table,
    programId,
    page,
    (link) =>
      (partnerId === undefined || link.partnerId === partnerId) && (status === undefined || link.status === status),
  );
  return { items: await Promise.all(items.map((link) => withPartner(deps, link))), next };
}

export async function withPartner({ table }: Deps, link: ReferralLink): Promise<CountedLink> {
  const { programId, partnerId, shortLink } = link;
  const [partner, counts] = await Promise.all([
    programId === undefined || partnerId === undefined ? undefined : findPartner(table, programId, partnerId),
    countsOf(table, { of: 'link', shortLink }),
  ]);
  return { link, partner, counts };
}
