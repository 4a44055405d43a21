import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import { checkLinksLeft, hasRoomForLinks } from '#lib/service/programs/partners/partner.ts';
import { destinationOf, isOwnSite, isTestLink, type ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import { siteOf } from '#lib/service/ground/addresses/origin.ts';
import { MOST_LINKS } from '#lib/service/programs/program/program.ts';
import {
  destinationElsewhere,
  destinationInvalid,
  linksFull,
  partnerNotFound,
  partnerNotJoined,
  partnerRemoved,
  partnersLinksFull,
  programNotFound,
  programPaused,
  shortLinkTaken,
} from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findLink, linkCountOf, linkCountWrite, newLinkWrites } from '#lib/service/programs/links/links-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

export interface NewLink {
  readonly partnerId: number;
  /** The name of the link; absent if one must be generated. */
  readonly shortLink?: string;
  /** Absolute http or https URL; absent means the program's domain. */
  readonly destinationUrl?: string;
  /** Set when the partner creates the link: partners may create few, and only to the program's own site. */
  readonly madeByPartner?: true;
}

/**
 * Creates a referral link of a partner.
 * @throws Refusal when the partner is not in the program or removed, the name is taken, or the program is paused or
 * full
 */
export const createLink = (deps: Deps, programId: number, wanted: NewLink): Promise<ReferralLink> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const { madeByPartner } = wanted;
    const shortLink = wanted.shortLink ?? deps.random.shortLink();
    const [program, partner, taken, count] = await Promise.all([
      findProgram(table, programId),
      findPartner(table, programId, wanted.partnerId),
      findLink(table, shortLink),
      linkCountOf(table, programId),
    ]);
    if (!program) throw programNotFound();
    if (!partner) throw partnerNotFound();
    // `CLI init` accepts any text as a program's domain. If it is not a valid host, the link needs an explicit
    // destination.
    const destinationUrl = wanted.destinationUrl ?? destinationOf(`${siteOf(program.domain)}/`);
    if (!destinationUrl) throw destinationInvalid();
    if (madeByPartner && !isOwnSite(destinationUrl, program)) throw destinationElsewhere();
    if (partner.status === 'removed') throw partnerRemoved();
    if (partner.status !== 'active') throw partnerNotJoined();
    if (taken || isTestLink(shortLink)) throw shortLinkTaken();
    if (program.status === 'paused') throw programPaused();
    if (madeByPartner) checkLinksLeft(program, partner);
    if (count >= MOST_LINKS) throw linksFull(MOST_LINKS);
    if (!hasRoomForLinks(partner)) throw partnersLinksFull();
    const link = {
      shortLink,
      programId,
      partnerId: partner.id,
      status: 'active',
      ...(madeByPartner && { madeByPartner }),
      destinationUrl,
      createdAt: now.toISOString(),
    } as const satisfies ReferralLink;
    await table.transact([
      ...newLinkWrites(link, partner),
      linkCountWrite(programId),
      ...auditWrites(deps, program.workspaceId, {
        action: 'link.created',
        target: { type: 'link', id: shortLink, programId },
        changes: changesBetween({}, { partnerId: partner.id, destinationUrl }),
      }),
    ]);
    return link;
  });
