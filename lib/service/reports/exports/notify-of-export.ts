import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { isMailQueued, mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

const kind = 'data_exported';
/** The number of characters of an ISO 8601 time up to the hour. */
const HOUR = 'YYYY-MM-DDTHH'.length;

/**
 * Notifies a person by mail that the account's data were exported, because a thief may be using the session. At most
 * one mail an hour is sent.
 */
export async function notifyOfExport(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  { id: accountId, email, name }: Account,
): Promise<void> {
  const at = now.toISOString();
  const fact = `${accountId} ${at.slice(0, HOUR)}`;
  if (await isMailQueued(table, { kind, fact }, email)) return;
  await table
    .transact(mailWrites({ kind, fact, to: { email, name, accountId }, data: { at }, now }))
    .catch((error: unknown) => {
      // Another request within this hour has already queued the mail.
      if (!(error instanceof ConditionFailed)) throw error;
    });
}
