import { auditExpirySeconds, type AuditEntry } from '#lib/service/ground/changes/audit.ts';
import { type Day, dayLater } from '#lib/service/ground/values/day.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

interface StoredEntry extends AuditEntry {
  readonly expires_at: number;
}

/** Stores an audit entry. Its key is new, so this write never fails the transaction of the change. */
export const auditEntryWrite = (workspaceId: number, entry: AuditEntry): Write => ({
  name: 'audit',
  key: keys.auditEntry(workspaceId, entry.at, entry.id),
  put: { ...entry, expires_at: auditExpirySeconds(new Date(entry.at)) } satisfies StoredEntry,
});

/** A range of UTC days, both inclusive; open-ended if `to` is undefined. */
export interface DayRange {
  readonly from?: Day;
  readonly to?: Day;
}

/**
 * Audit entries of a workspace, newest first. Expired entries and those before the range are oldest, so reading stops
 * at the first one.
 */
export async function auditEntriesOf(
  table: Table,
  workspaceId: number,
  { from = '', to }: DayRange,
  { most, after = to && dayLater(to, 1) }: PageRequest,
  now: Date,
): Promise<Page<AuditEntry>> {
  const { pk } = keys.auditEntry(workspaceId, '', '');
  const found = await table.query<StoredEntry>(pk, { most: most + 1, after, newestFirst: true });
  const kept = found.filter(({ at, expires_at: end }) => at >= from && end > now.getTime() / 1_000);
  const items = kept.slice(0, most);
  const last = items.at(-1);
  return { items, next: last && kept.length > most ? keys.auditEntry(workspaceId, last.at, last.id).sk : undefined };
}
