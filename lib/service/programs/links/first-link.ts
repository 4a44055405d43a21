import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import { siteOf } from '#lib/service/ground/addresses/origin.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { firstLinkName, namesLike, withEnd } from '#lib/service/programs/links/first-link-name.ts';
import { findLink, linkCountOf, linkCountWrite, linkWrites } from '#lib/service/programs/links/links-items.ts';
import { destinationOf, type ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import { hasRoomForLinks, type Partner } from '#lib/service/programs/partners/partner.ts';
import { MOST_LINKS, type Program } from '#lib/service/programs/program/program.ts';

/** How many links are read at once. Nearly every partner has an active link among the first 25. */
const READ_AT_ONCE = 25;

/** A partner's oldest active link; undefined if there is none. */
export async function firstActiveLink(
  table: Table,
  { links }: Pick<Partner, 'links'>,
): Promise<ReferralLink | undefined> {
  for (let at = 0; at < links.length; at += READ_AT_ONCE) {
    const found = await Promise.all(links.slice(at, at + READ_AT_ONCE).map((name) => findLink(table, name)));
    const active = found.find((link) => link?.status === 'active');
    if (active) return active;
  }
  return undefined;
}

/** A partner with a first link, and the writes for this link. The transaction must also store the partner's `links`. */
interface WithFirstLink<Linked extends Partner> {
  readonly partner: Linked;
  readonly writes: readonly Write[];
}

/**
 * Gives an active partner a link, unless the partner already has an active one. The link counts as created by the
 * brand. If the program or the partner has reached its limit of links, or the program's domain is not a host, the person
 * becomes a partner without a link.
 * @param partner as the transaction will store it
 */
export async function withFirstLink<Linked extends Partner>(
  deps: Deps,
  program: Program,
  partner: Linked,
): Promise<WithFirstLink<Linked>> {
  const { table, now } = deps;
  if (partner.status !== 'active') return { partner, writes: [] };
  const destinationUrl = destinationOf(`${siteOf(program.domain)}/`);
  const [active, count] = await Promise.all([firstActiveLink(table, partner), linkCountOf(table, program.id)]);
  if (active || !destinationUrl || count >= MOST_LINKS || !hasRoomForLinks(partner)) return { partner, writes: [] };
  const shortLink = await freeName(deps, firstLinkName(partner));
  const { id: partnerId, programId } = partner;
  const createdAt = now.toISOString();
  const link = { shortLink, programId, partnerId, status: 'active', destinationUrl, createdAt } as const;
  return {
    partner: { ...partner, links: [...partner.links, shortLink], wishedLink: undefined },
    writes: [
      ...linkWrites(link),
      linkCountWrite(programId),
      ...auditWrites(deps, program.workspaceId, {
        action: 'link.created',
        target: { type: 'link', id: shortLink, programId },
        changes: changesBetween({}, { partnerId, destinationUrl }),
      }),
    ],
  };
}

/**
 * The first of these names that no link has yet. The write of the new link fails if another link with this name was
 * written first. This request then reloads and takes another name.
 */
async function freeName({ table, random }: Deps, wanted: string): Promise<string> {
  const names = namesLike(wanted);
  const taken = await Promise.all(names.map((name) => findLink(table, name)));
  return names.find((_, index) => taken[index] === undefined) ?? withEnd(wanted, random.suffix());
}
