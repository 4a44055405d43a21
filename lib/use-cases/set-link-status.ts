import type { ReferralLink } from '#lib/domain/referral-link.ts';
import { shortLinkNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/deps.ts';
import { changeLinkStatus, findLink } from '#lib/store/links.ts';

/** Switches a program's link on or off. @throws Refusal when the program has no such link */
export async function setLinkStatus(
  { table }: Deps,
  programId: number,
  shortLink: string,
  status: ReferralLink['status'],
): Promise<ReferralLink> {
  const link = await findLink(table, shortLink);
  if (link?.programId !== programId) throw shortLinkNotFound();
  await changeLinkStatus(table, shortLink, status);
  return { ...link, status };
}
