import { shortLinkNotFound } from '#lib/domain/refusals.ts';
import type { OperatorDeps } from '#lib/deps.ts';
import { findLink, unlinkedLinkWrites } from '#lib/store/links.ts';
import { findPartner } from '#lib/store/partners.ts';
import { settleRaces } from '#lib/use-cases/settle-races.ts';

/** Takes a referral link from its partner; its customers stay the partner's. @throws Refusal when there is no such link */
export const unlinkLink = (deps: OperatorDeps, shortLink: string): Promise<void> =>
  settleRaces(deps, async () => {
    const { table } = deps;
    const link = await findLink(table, shortLink);
    if (!link) throw shortLinkNotFound();
    const { programId, partnerId } = link;
    const hasPartner = programId !== undefined && partnerId !== undefined;
    const partner = hasPartner ? await findPartner(table, programId, partnerId) : undefined;
    await table.transact(unlinkedLinkWrites(link, partner));
  });
