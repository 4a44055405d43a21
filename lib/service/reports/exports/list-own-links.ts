import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findLink } from '#lib/service/programs/links/links-items.ts';
import { type CountedLink, withPartner } from '#lib/service/reports/lists/list-links.ts';

/** The links of a partner, oldest first, as listed in the partner's item. */
export async function listOwnLinks(
  deps: Deps,
  { links }: Pick<Partner, 'links'>,
  { most, after = '0' }: PageRequest,
): Promise<Page<CountedLink>> {
  const end = Number(after) + most;
  const found = await Promise.all(links.slice(Number(after), end).map((shortLink) => findLink(deps.table, shortLink)));
  const items = await Promise.all(found.filter((link) => link !== undefined).map((link) => withPartner(deps, link)));
  return { items, next: end < links.length ? String(end) : undefined };
}
