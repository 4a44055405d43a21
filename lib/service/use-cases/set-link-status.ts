import { changesBetween } from '#lib/domain/audit.ts';
import { isTestLink, type ReferralLink } from '#lib/domain/referral-link.ts';
import { programNotFound, shortLinkNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findLink, linkStatusWrite } from '#lib/service/store/links.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/** The link of a program. @throws Refusal */
export async function linkOf({ table }: Deps, programId: number, shortLink: string): Promise<ReferralLink> {
  const link = await findLink(table, shortLink);
  if (link?.programId !== programId || isTestLink(shortLink)) throw shortLinkNotFound();
  return link;
}

/** Switches a program's link on or off. @throws Refusal when the program has no such link */
export const setLinkStatus = (
  deps: Deps,
  programId: number,
  shortLink: string,
  status: ReferralLink['status'],
): Promise<ReferralLink> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const [program, link] = await Promise.all([findProgram(table, programId), linkOf(deps, programId, shortLink)]);
    if (!program) throw programNotFound();
    if (link.status === status) return link;
    await table.transact([
      linkStatusWrite(link, status),
      ...auditWrites(deps, program.workspaceId, {
        action: 'link.changed',
        target: { type: 'link', id: shortLink, programId },
        changes: changesBetween(link, { status }),
      }),
    ]);
    return { ...link, status };
  });
