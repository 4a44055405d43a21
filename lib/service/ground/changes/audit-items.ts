import {
  auditExpirySeconds,
  type AuditEntry,
  type AuditFilter,
  type AuditItem,
  isListedFor,
  itemOf,
  timeOfEntry,
} from '#lib/service/ground/changes/audit.ts';
import { type Day, dayLater } from '#lib/service/ground/values/day.ts';
import { isPlainText } from '#lib/service/ground/values/identifier.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { keptPage } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';

type StoredEntry = Omit<AuditEntry, 'amounts'> & { readonly expires_at: number };

/** There is one attribute for each currency, because DynamoDB's ADD works on top-level attributes only. */
const AMOUNT = 'amount#';
const amountAttributes = ({ amounts = {} }: Pick<AuditEntry, 'amounts'>) =>
  Object.fromEntries(Object.entries(amounts).map(([currency, cents]) => [AMOUNT + currency, cents]));

function entryOf(stored: StoredEntry): AuditEntry {
  const amounts = Object.entries(stored as object as Record<string, number>)
    .filter(([attribute]) => attribute.startsWith(AMOUNT))
    .map(([attribute, cents]): [string, number] => [attribute.slice(AMOUNT.length), cents]);
  return { ...stored, ...(amounts.length > 0 && { amounts: Object.fromEntries(amounts) }) };
}

/** The write that stores an audit entry. Its key is new, so it never makes the transaction of the change fail. */
export const auditEntryWrite = (workspaceId: number, { amounts, ...entry }: AuditEntry): Write => ({
  name: 'audit',
  key: keys.auditEntry(workspaceId, entry.at, entry.id),
  put: {
    ...entry,
    ...amountAttributes({ amounts }),
    expires_at: auditExpirySeconds(new Date(entry.at)),
  },
});

/**
 * Returns the id of the audit entry of a batch of requests. If the batch has no entry yet, reserves the given id for
 * it. If two first requests of a batch race, both use the id that was reserved first.
 * @param batch hash of person, action, program and batch
 */
export async function entryIdOfBatch(table: Table, workspaceId: number, batch: string, id: string): Promise<string> {
  const key = keys.auditBatch(workspaceId, batch);
  const stored = await table.get<{ readonly id: string }>(key);
  if (stored) return stored.id;
  const expires_at = auditExpirySeconds(new Date(timeOfEntry(id)!));
  try {
    await table.put(key, { id, expires_at }, { isNew: true });
    return id;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return error.existing.get('item')!['id'] as string;
  }
}

export const findAuditItem = (table: Table, workspaceId: number, entryId: string, id: number | string) =>
  table.get<AuditItem>(keys.auditItem(workspaceId, entryId, id));

/** Writes that add a changed object to the audit entry of a batch. The first object also creates the entry. */
export function batchItemWrites(
  workspaceId: number,
  { amounts, ...entry }: Omit<AuditEntry, 'count'>,
  item: AuditItem,
): Write[] {
  const expires_at = auditExpirySeconds(new Date(entry.at));
  return [
    {
      name: 'audit',
      key: keys.auditEntry(workspaceId, entry.at, entry.id),
      change: { setOnce: { ...entry, expires_at }, add: { count: 1, ...amountAttributes({ amounts }) } },
    },
    {
      name: 'auditItem',
      key: keys.auditItem(workspaceId, entry.id, item.id),
      put: { ...item, expires_at },
      // Closes the race with another request of the batch that adds the same object: the second request decides again.
      condition: { isNew: true },
    },
  ];
}

/** A range of UTC days, both inclusive; open-ended if `to` is undefined. */
export interface DayRange {
  readonly from?: Day;
  readonly to?: Day;
}

/**
 * Audit entries of a workspace that match the filter, newest first. Expired entries and those before the range are the
 * oldest, so reading stops at the first of them. A page reads a limited number of entries: if few of them match, the
 * page is short or empty, and the next page continues after them.
 */
export const auditEntriesOf = (
  table: Table,
  workspaceId: number,
  { from = '', to, ...filter }: DayRange & AuditFilter,
  { most, after = to && dayLater(to, 1) }: PageRequest,
  now: Date,
): Promise<Page<AuditEntry>> =>
  keptPage({ most, after }, async (part) => {
    const { pk } = keys.auditEntry(workspaceId, '', '');
    const found = await table.query<StoredEntry>(pk, { ...part, newestFirst: true });
    const current = found.filter(({ at, expires_at: end }) => at >= from && end > now.getTime() / 1_000);
    const matching = await Promise.all(
      current.map(entryOf).map(async (entry) => ((await isMatching(table, workspaceId, entry, filter)) ? [entry] : [])),
    );
    const positionOf = ({ at, id }: Pick<AuditEntry, 'at' | 'id'>) => keys.auditEntry(workspaceId, at, id).sk;
    const isEnd = found.length < part.most || current.length < found.length;
    return {
      items: matching.flat().map((item) => ({ position: positionOf(item), item })),
      next: isEnd ? undefined : positionOf(found.at(-1)!),
    };
  });

/** Whether an entry meets the filter. The entry of a batch meets it if any of its objects has the wanted id. */
async function isMatching(table: Table, workspaceId: number, entry: AuditEntry, filter: AuditFilter): Promise<boolean> {
  const { targetId } = filter;
  if (!isListedFor(entry, filter)) return false;
  if (targetId === undefined || String(entry.target.id) === targetId) return true;
  // Other texts cannot be part of a key.
  const mayBeInBatch = entry.count !== undefined && targetId !== '' && isPlainText(targetId);
  return mayBeInBatch && (await findAuditItem(table, workspaceId, entry.id, targetId)) !== undefined;
}

/** The entry with this id; undefined if there is none. */
export async function findAuditEntry(table: Table, workspaceId: number, id: string): Promise<AuditEntry | undefined> {
  const at = timeOfEntry(id);
  const stored = at === undefined ? undefined : await table.get<StoredEntry>(keys.auditEntry(workspaceId, at, id));
  return stored && entryOf(stored);
}

/** The objects of an entry, in the order of their ids. */
export async function auditItemsOf(
  table: Table,
  workspaceId: number,
  entry: AuditEntry,
  { most, after }: PageRequest,
): Promise<Page<AuditItem>> {
  if (entry.count === undefined) return { items: [itemOf(entry)] };
  const { pk } = keys.auditItem(workspaceId, entry.id, '');
  const found = await table.query<AuditItem>(pk, { most: most + 1, after });
  const items = found.slice(0, most);
  const last = items.at(-1);
  return { items, next: last && found.length > most ? keys.auditItem(workspaceId, entry.id, last.id).sk : undefined };
}
