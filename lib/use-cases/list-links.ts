import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { ReferralLink } from '#lib/domain/referral-link.ts';
import type { Deps } from '#lib/deps.ts';
import { linksOf } from '#lib/store/links.ts';
import { findPartner } from '#lib/store/partners.ts';

export interface LinkOfPartner {
  readonly link: ReferralLink;
  /** Absent when the operator unlinked it. */
  readonly partner?: Partner;
}

export interface LinkFilter {
  readonly partnerId?: number;
  readonly status?: ReferralLink['status'];
}

/** Links of a program, oldest first, each with its partner. */
export async function listLinks(
  deps: Deps,
  programId: number,
  { partnerId, status }: LinkFilter,
  page: PageRequest,
): Promise<Page<LinkOfPartner>> {
  const { items, next } = await linksOf(
    deps.table,
    programId,
    page,
    (link) =>
      (partnerId === undefined || link.partnerId === partnerId) && (status === undefined || link.status === status),
  );
  return { items: await Promise.all(items.map((link) => withPartner(deps, link))), next };
}

export const withPartner = async ({ table }: Deps, link: ReferralLink): Promise<LinkOfPartner> => ({
  link,
  partner:
    link.programId === undefined || link.partnerId === undefined
      ? undefined
      : await findPartner(table, link.programId, link.partnerId),
});
