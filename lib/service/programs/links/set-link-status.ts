import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import { checkLinksLeft, type Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { isTestLink, type ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import { linkSwitchedOff, programNotFound, shortLinkNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Comparison } from '#lib/service/ground/changes/seen.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findLink, linkStatusWrites } from '#lib/service/programs/links/links-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { checkSeen } from '#lib/service/ground/changes/check-seen.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { relationOf } from '#lib/service/programs/partners/set-partner-status.ts';

/** Loads a link of a program. @throws Refusal */
export async function linkOf({ table }: Deps, programId: number, shortLink: string): Promise<ReferralLink> {
  const link = await findLink(table, shortLink);
  if (link?.programId !== programId || isTestLink(shortLink)) throw shortLinkNotFound();
  return link;
}

/** Loads a link of a partner. @throws Refusal */
export async function ownLinkOf(
  deps: Deps,
  { programId, id }: { readonly programId: number; readonly id: number },
  shortLink: string,
): Promise<ReferralLink> {
  const link = await linkOf(deps, programId, shortLink);
  if (link.partnerId !== id) throw shortLinkNotFound();
  return link;
}

/**
 * Switches a program's link on or off, for the brand.
 * @throws Refusal when the program has no such link, or the link has changed since the caller read it
 */
export const setLinkStatus = (
  deps: Deps,
  programId: number,
  shortLink: string,
  status: ReferralLink['status'],
  seen?: Comparison<ReferralLink>,
): Promise<ReferralLink> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const [program, before] = await Promise.all([findProgram(table, programId), linkOf(deps, programId, shortLink)]);
    if (!program) throw programNotFound();
    await checkSeen(deps, targetOf(before, programId), seen, before);
    const { partnerId, madeByPartner } = before;
    const maker = madeByPartner && partnerId !== undefined ? partnerId : undefined;
    const partner = maker === undefined ? undefined : await findPartner(table, programId, maker);
    // The brand may also switch off a link that the partner has switched off. The partner then cannot switch it on
    // again.
    if (before.status === status && !before.switchedOffByPartner) return before;
    return switched(deps, program, before, { ...before, status, switchedOffByPartner: undefined }, partner);
  });

/**
 * Switches a link on or off, for its partner.
 * @throws Refusal when the link is another partner's or has changed since the partner read it, when the brand switched
 * it off, or when the partner may have no further active link
 */
export const setOwnLinkStatus = (
  deps: Deps,
  { programId, partnerId, shortLink }: Required<Pick<ReferralLink, 'programId' | 'partnerId' | 'shortLink'>>,
  status: ReferralLink['status'],
  seen?: Comparison<ReferralLink>,
): Promise<ReferralLink> =>
  retryOnConflict(deps, async () => {
    const [before, { program, partner }] = await Promise.all([
      ownLinkOf(deps, { programId, id: partnerId }, shortLink),
      relationOf(deps, programId, partnerId),
    ]);
    await checkSeen(deps, targetOf(before, programId), seen, before);
    if (before.status === status) return before;
    const isOn = status === 'active';
    if (isOn && !before.switchedOffByPartner) throw linkSwitchedOff();
    if (isOn && before.madeByPartner) checkLinksLeft(program, partner);
    const after: ReferralLink = { ...before, status, switchedOffByPartner: isOn ? undefined : true };
    return switched(deps, program, before, after, partner);
  });

const targetOf = ({ shortLink }: ReferralLink, programId: number) =>
  ({ type: 'link', id: shortLink, programId }) as const;

async function switched(
  deps: Deps,
  { id: programId, workspaceId }: Program,
  before: ReferralLink,
  after: ReferralLink,
  partner: Partner | undefined,
): Promise<ReferralLink> {
  const { status, switchedOffByPartner } = after;
  await deps.table.transact([
    ...linkStatusWrites(before, after, partner),
    ...auditWrites(deps, workspaceId, {
      action: 'link.changed',
      target: targetOf(after, programId),
      changes: changesBetween(before, { status, switchedOffByPartner }),
    }),
  ]);
  return after;
}
