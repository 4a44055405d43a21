import {
  accountOfTarget,
  type AuditActor,
  type AuditEntry,
  type AuditFilter,
  type AuditItem,
} from '#lib/service/ground/changes/audit.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { auditEntryNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAccount } from '#lib/service/people/accounts/accounts-items.ts';
import { isPartnersAddress } from '#lib/service/people/accounts/partner-accounts-items.ts';
import {
  auditEntriesOf,
  auditItemsOf,
  type DayRange,
  findAuditEntry,
} from '#lib/service/ground/changes/audit-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/**
 * An audit entry with the current addresses of its accounts; a closed account has none, nor a partner whose address the
 * workspace does not know.
 */
export interface ListedAuditEntry extends AuditEntry {
  readonly actorEmail?: string;
  readonly memberEmail?: string;
}

/** The audit list of a workspace, newest first. A page may be short or empty even if it is not the last. */
export async function listAudit(
  { table, now }: Deps,
  workspaceId: number,
  filter: DayRange & AuditFilter,
  page: PageRequest,
): Promise<Page<ListedAuditEntry>> {
  const { items, next } = await auditEntriesOf(table, workspaceId, filter, page, now);
  const emails = await emailsOf(
    table,
    items.flatMap(({ actor, target }) => [actor.accountId, accountOfTarget(target)]),
  );
  const addressOf = async ({ kind, accountId }: AuditActor): Promise<string | undefined> => {
    const email = emails.get(accountId);
    if (kind !== 'partner' || email === undefined) return email;
    // A partner may have another address by now, which the brand does not know.
    return (await isPartnersAddress(table, workspaceId, email)) ? email : undefined;
  };
  return {
    items: await Promise.all(
      items.map(async (entry) => ({
        ...entry,
        actorEmail: await addressOf(entry.actor),
        memberEmail: emails.get(accountOfTarget(entry.target)),
      })),
    ),
    next,
  };
}

/** Loads an audit entry of the workspace. @throws Refusal */
export async function auditEntryOf({ table }: Deps, workspaceId: number, id = ''): Promise<AuditEntry> {
  const entry = await findAuditEntry(table, workspaceId, id);
  if (!entry) throw auditEntryNotFound();
  return entry;
}

/** The changed objects of an entry, in the order of their ids. */
export const listAuditItems = (
  { table }: Deps,
  workspaceId: number,
  entry: AuditEntry,
  page: PageRequest,
): Promise<Page<AuditItem>> => auditItemsOf(table, workspaceId, entry, page);

/**
 * The current e-mail addresses of accounts; a closed account has none. Reads that start together are combined into one
 * batch.
 */
export async function emailsOf(
  table: Table,
  accountIds: readonly (number | undefined)[],
): Promise<ReadonlyMap<number | undefined, string>> {
  const ids = [...new Set(accountIds)].filter((id) => id !== undefined);
  const accounts = await Promise.all(ids.map((id) => findAccount(table, id)));
  return new Map(
    accounts.flatMap((account) =>
      account && account.closingAt === undefined ? [[account.id, account.email] as const] : [],
    ),
  );
}
