import { isTestLink, type ReferralLink } from '#lib/domain/referral-link.ts';
import { shortLinkNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { changeLinkStatus, findLink } from '#lib/service/store/links.ts';

/** The link of a program. @throws Refusal */
export async function linkOf({ table }: Deps, programId: number, shortLink: string): Promise<ReferralLink> {
  const link = await findLink(table, shortLink);
  if (link?.programId !== programId || isTestLink(shortLink)) throw shortLinkNotFound();
  return link;
}

/** Switches a program's link on or off. @throws Refusal when the program has no such link */
export async function setLinkStatus(
  deps: Deps,
  programId: number,
  shortLink: string,
  status: ReferralLink['status'],
): Promise<ReferralLink> {
  const link = await linkOf(deps, programId, shortLink);
  await changeLinkStatus(deps.table, shortLink, status);
  return { ...link, status };
}
