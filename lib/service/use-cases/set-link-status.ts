import { checkLinksLeft } from '#lib/domain/partner.ts';
import { isTestLink, type ReferralLink } from '#lib/domain/referral-link.ts';
import { linkSwitchedOff, shortLinkNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findLink, linkStatusWrites } from '#lib/service/store/links.ts';
import { findPartner } from '#lib/service/store/partners.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';
import { relationOf } from '#lib/service/use-cases/set-partner-status.ts';

/** The link of a program. @throws Refusal */
export async function linkOf({ table }: Deps, programId: number, shortLink: string): Promise<ReferralLink> {
  const link = await findLink(table, shortLink);
  if (link?.programId !== programId || isTestLink(shortLink)) throw shortLinkNotFound();
  return link;
}

/** The link of a partner. @throws Refusal */
export async function ownLinkOf(
  deps: Deps,
  { programId, id }: { readonly programId: number; readonly id: number },
  shortLink: string,
): Promise<ReferralLink> {
  const link = await linkOf(deps, programId, shortLink);
  if (link.partnerId !== id) throw shortLinkNotFound();
  return link;
}

/** The brand switches a program's link on or off. @throws Refusal when the program has no such link */
export const setLinkStatus = (
  deps: Deps,
  programId: number,
  shortLink: string,
  status: ReferralLink['status'],
): Promise<ReferralLink> =>
  retryOnConflict(deps, async () => {
    const before = await linkOf(deps, programId, shortLink);
    const { partnerId, madeByPartner } = before;
    const maker = madeByPartner && partnerId !== undefined ? partnerId : undefined;
    const partner = maker === undefined ? undefined : await findPartner(deps.table, programId, maker);
    const after: ReferralLink = { ...before, status, switchedOffByPartner: undefined };
    await deps.table.transact(linkStatusWrites(before, after, partner));
    return after;
  });

/**
 * A partner switches a link on or off.
 * @throws Refusal when it is not the partner's, the program switched it off, or the partner may have no further link
 */
export const setOwnLinkStatus = (
  deps: Deps,
  { programId, partnerId, shortLink }: Required<Pick<ReferralLink, 'programId' | 'partnerId' | 'shortLink'>>,
  status: ReferralLink['status'],
): Promise<ReferralLink> =>
  retryOnConflict(deps, async () => {
    const [before, { program, partner }] = await Promise.all([
      ownLinkOf(deps, { programId, id: partnerId }, shortLink),
      relationOf(deps, programId, partnerId),
    ]);
    if (before.status === status) return before;
    const isOn = status === 'active';
    if (isOn && !before.switchedOffByPartner) throw linkSwitchedOff();
    if (isOn && before.madeByPartner) checkLinksLeft(program, partner);
    const after: ReferralLink = { ...before, status, switchedOffByPartner: isOn ? undefined : true };
    await deps.table.transact(linkStatusWrites(before, after, partner));
    return after;
  });
