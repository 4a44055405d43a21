import { isShortLink, type ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { MOST_LINKS } from '#lib/service/programs/program/program.ts';
import { everyListed, firstListed, pageOf } from '#lib/service/ground/table/pages.ts';
import { indexKeys, keys, shortLinkOf } from '#lib/service/ground/table/keys.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { linkWordWrites } from '#lib/service/programs/words/words-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The link that an `aff` value names. Text that cannot be a short link is not looked up. */
export const findLink = async (table: Table, shortLink: string): Promise<ReferralLink | undefined> =>
  isShortLink(shortLink) ? table.get<ReferralLink>(keys.link(shortLink)) : undefined;

/** The link for a click. It is read from a cache, so a change of the link may take effect a moment later. */
export const findRecentLink = async (table: Table, shortLink: string): Promise<ReferralLink | undefined> =>
  isShortLink(shortLink) ? table.getRecent<ReferralLink>(keys.link(shortLink)) : undefined;

interface Size {
  readonly links: number;
}

/** The number of links ever created in a program. */
export const linkCountOf = async (table: Table, programId: number): Promise<number> =>
  (await table.get<Size>(keys.programSize(programId)))?.links ?? 0;

/** The write that counts a new link. Fails if other links were written first and the program is now full. */
export const linkCountWrite = (programId: number): Write => ({
  name: 'size',
  key: keys.programSize(programId),
  change: { add: { links: 1 } },
  condition: { below: { links: MOST_LINKS } },
});

type NewLink = ReferralLink & { readonly programId: number; readonly partnerId: number };

/** Writes of a new link alone, without its partner. */
export const linkWrites = (link: NewLink): Write[] => [
  {
    name: 'link',
    key: keys.link(link.shortLink),
    put: { ...link, ...indexKeys.link(link.programId, link.createdAt, link.shortLink) },
    // Short links are unique over all programs. Fails if a link with this name was written first. This request then
    // reloads and decides again with another name.
    condition: { isNew: true },
  },
  ...linkWordWrites(link.programId, link),
];

/** Writes of a new link of a partner. */
export const newLinkWrites = (link: NewLink, partner: Partner): Write[] => [
  ...linkWrites(link),
  {
    name: 'partner',
    key: keys.partner(link.programId, link.partnerId),
    change: { set: { links: [...partner.links, link.shortLink], ...(link.madeByPartner && madeLink(link, partner)) } },
    // Fails if the partner was removed, or another link of the partner was written first. This request then reloads.
    // Otherwise a removed partner could have a working link, or the partner's list of links could lack one.
    condition: { equals: { status: 'active', links: partner.links, ownLinks: partner.ownLinks } },
  },
];

const madeLink = ({ shortLink }: ReferralLink, { ownLinks = [], linksMade = 0 }: Partner) => ({
  ownLinks: [...ownLinks, shortLink],
  linksMade: linksMade + 1,
});

const withoutLink = (links: readonly string[], { shortLink }: ReferralLink) => links.filter((one) => one !== shortLink);

/**
 * Writes that switch a link on or off.
 * @param partner set if the partner created the link: then the partner's active links are updated too
 */
export function linkStatusWrites(before: ReferralLink, after: ReferralLink, partner: Partner | undefined): Write[] {
  const others = withoutLink(partner?.ownLinks ?? [], after);
  return [
    {
      name: 'link',
      key: keys.link(after.shortLink),
      change: { set: switchOf(after) },
      // Fails if another switch of the link, by the brand or the partner, was written first. This request then reloads
      // and decides again.
      condition: { exists: true, equals: switchOf(before) },
    },
    ...(partner && after.madeByPartner
      ? [
          {
            name: 'partner',
            key: keys.partner(partner.programId, partner.id),
            change: { set: { ownLinks: after.status === 'active' ? [...others, after.shortLink] : others } },
            // Fails if another link of the partner was created or switched in the meantime. This request then reloads,
            // so that the limit of links is not exceeded.
            condition: { equals: { ownLinks: partner.ownLinks } },
          } as const,
        ]
      : []),
  ];
}

const switchOf = ({ status, switchedOffByPartner, partnerId }: ReferralLink) => ({
  status,
  switchedOffByPartner,
  partnerId,
});

export interface LinkFilter {
  readonly partnerId?: number;
  readonly status?: ReferralLink['status'];
}

/** All links of a program, at most 20,000. */
export const allLinksOf = (table: Table, programId: number): Promise<ReferralLink[]> =>
  everyListed(table, indexKeys.link(programId, '', '').gsi1pk);

/** Links of a program, oldest first. */
export const linksOf = (
  table: Table,
  programId: number,
  { partnerId, status }: LinkFilter,
  page: PageRequest,
): Promise<Page<ReferralLink>> =>
  pageOf<ReferralLink>(
    table,
    indexKeys.link(programId, '', '').gsi1pk,
    page,
    (link) =>
      (partnerId === undefined || link.partnerId === partnerId) && (status === undefined || link.status === status),
  );

/**
 * The first links of a program, oldest first, and the number of all its links. Links are read one by one only if a
 * filter needs their status.
 */
export async function firstLinks(table: Table, programId: number, { partnerId, status }: LinkFilter, most: number) {
  const partner = partnerId === undefined ? undefined : await findPartner(table, programId, partnerId);
  const ofPartner = new Set(partner?.links);
  const isFiltered = partnerId !== undefined || status !== undefined;
  const { entries, count } = await firstListed<ReferralLink>(table, indexKeys.link(programId, '', '').gsi1pk, most, {
    isWanted: (key) => partnerId === undefined || ofPartner.has(shortLinkOf(key)),
    keep: status && ((link) => link.status === status),
    isCounted: !isFiltered,
  });
  const isCut = !isFiltered && entries.length === most;
  return {
    links: entries.map((key) => ({ shortLink: shortLinkOf(key), place: key.position })),
    count: isCut ? await linkCountOf(table, programId) : count,
  };
}

/** Writes that remove a link from its partner and from the partner's list of links. */
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
          change: {
            set: {
              links: withoutLink(partner.links, link),
              ownLinks: partner.ownLinks && withoutLink(partner.ownLinks, link),
            },
          },
          // Fails if another link of the partner was created in the meantime. This request then reloads, so that the
          // new link stays in the list.
          condition: { equals: { links: partner.links, ownLinks: partner.ownLinks } },
        } as const,
      ]
    : []),
];
