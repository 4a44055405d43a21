import { isShortLink, type ReferralLink } from '#lib/domain/referral-link.ts';
import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Partner } from '#lib/domain/partner.ts';
import { pageOf } from '#lib/store/pages.ts';
import { indexKeys, keys } from '#lib/store/keys.ts';
import type { Table } from '#lib/store/table.ts';
import type { Write } from '#lib/store/writes.ts';

/** The link of an `aff` value; what cannot be a short link is not looked up. */
export const findLink = async (table: Table, shortLink: string): Promise<ReferralLink | undefined> =>
  isShortLink(shortLink) ? table.get<ReferralLink>(keys.link(shortLink)) : undefined;

/** Short links are unique over all programs: of two that race for a name, one is told it is taken. */
export const newLinkWrites = (
  link: ReferralLink & { readonly programId: number; readonly partnerId: number },
  partner: Partner,
): Write[] => [
  {
    name: 'link',
    key: keys.link(link.shortLink),
    put: { ...link, ...indexKeys.link(link.programId, link.createdAt, link.shortLink) },
    condition: { isNew: true },
  },
  {
    name: 'partner',
    key: keys.partner(link.programId, link.partnerId),
    change: { set: { links: [...partner.links, link.shortLink] } },
    // A partner removed at this moment must not keep an open link, nor one of two new links be forgotten.
    condition: { equals: { status: 'active', links: partner.links } },
  },
];

/** Links of a program, oldest first. */
export const linksOf = (
  table: Table,
  programId: number,
  page: PageRequest,
  keep: (link: ReferralLink) => boolean,
): Promise<Page<ReferralLink>> => pageOf(table, indexKeys.link(programId, '', '').gsi1pk, page, keep);

/** Writes that take a link from its partner, and out of the list that the partner keeps of its links. */
export const unlinkedLinkWrites = (link: ReferralLink, partner: Partner | undefined): Write[] => [
  {
    name: 'link',
    key: keys.link(link.shortLink),
    change: { set: { partnerId: undefined, partnerRemoved: undefined } },
    condition: { exists: true },
  },
  ...(partner
    ? [
        {
          name: 'partner',
          key: keys.partner(partner.programId, partner.id),
          change: { set: { links: partner.links.filter((one) => one !== link.shortLink) } },
          // Another link of the partner is created at this moment: it must not be forgotten.
          condition: { equals: { links: partner.links } },
        } as const,
      ]
    : []),
];

export const changeLinkStatus = (table: Table, shortLink: string, status: ReferralLink['status']): Promise<unknown> =>
  table.update(keys.link(shortLink), { set: { status } }, { exists: true });
