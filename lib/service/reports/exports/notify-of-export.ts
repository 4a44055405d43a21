import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { isTold, mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

const kind = 'data_exported';
/** As a time begins that is written by ISO 8601. */
const HOUR = 'YYYY-MM-DDTHH'.length;

/** Tells a person that the data of the account were exported, once an hour: the session may be somebody else's. */
export async function notifyOfExport(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  { id: accountId, email, name }: Account,
): Promise<void> {
  const at = now.toISOString();
  const fact = `${accountId} ${at.slice(0, HOUR)}`;
  if (await isTold(table, { kind, fact }, email)) return;
  await table
    .transact(mailWrites({ kind, fact, to: { email, name, accountId }, data: { at }, now }))
    .catch((error: unknown) => {
      // Another request of this hour tells it.
      if (!(error instanceof ConditionFailed)) throw error;
    });
}
