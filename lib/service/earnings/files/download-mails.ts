import { dayOf } from '#lib/service/ground/values/day.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAccount } from '#lib/service/people/accounts/accounts-items.ts';
import { isMailQueued, mailWrites } from '#lib/service/people/mail/mails-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

const kind = 'details_downloaded';

/**
 * Writes of the e-mails which notify partners that their full payout details were downloaded. Each partner gets at most
 * one per day and workspace.
 */
export async function downloadMails(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  { id: programId, name: programName, workspaceId }: Program,
  downloaded: readonly { readonly partner?: Partner }[],
): Promise<Write[]> {
  const accountIds = new Set(downloaded.flatMap(({ partner }) => partner?.accountId ?? []));
  const mails = [...accountIds].map(async (accountId): Promise<Write[]> => {
    const account = await findAccount(table, accountId);
    if (!account) return [];
    const { email, name } = account;
    const fact = `${workspaceId} ${accountId} ${dayOf(now)}`;
    if (await isMailQueued(table, { kind, fact }, email)) return [];
    return mailWrites({ kind, fact, to: { email, name, accountId }, data: { programId, programName }, now });
  });
  return (await Promise.all(mails)).flat();
}
