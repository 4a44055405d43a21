import { shortLinkNotFound } from '#lib/service/ground/values/refusals.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { findLink, unlinkedLinkWrites } from '#lib/service/programs/links/links-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Unlinks a referral link from its partner; its customers still belong to the partner.
 * @throws Refusal when there is no such link
 */
export const unlinkLink = (deps: OperatorDeps, shortLink: string): Promise<void> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const link = await findLink(table, shortLink);
    if (!link) throw shortLinkNotFound();
    const { programId, partnerId } = link;
    const hasPartner = programId !== undefined && partnerId !== undefined;
    const partner = hasPartner ? await findPartner(table, programId, partnerId) : undefined;
    await table.transact(unlinkedLinkWrites(link, partner));
  });
