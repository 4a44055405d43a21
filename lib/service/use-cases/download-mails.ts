import { dayOf } from '#lib/domain/day.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findAccount } from '#lib/service/store/accounts.ts';
import { isTold, mailWrites } from '#lib/service/store/mails.ts';
import type { Write } from '#lib/service/store/writes.ts';

const kind = 'details_downloaded';

/** Writes that tell people, once a day and workspace, that their whole payout details were downloaded. */
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
    if (await isTold(table, { kind, fact }, email)) return [];
    return mailWrites({ kind, fact, to: { email, name, accountId }, data: { programId, programName }, now });
  });
  return (await Promise.all(mails)).flat();
}
