import { auditExpirySeconds, type AuditTarget } from '#lib/service/ground/changes/audit.ts';
import type { LastChange } from '#lib/service/ground/changes/seen.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The types of objects whose forms show who last changed them. */
const changeable: ReadonlySet<AuditTarget['type']> = new Set([
  'program',
  'group',
  'partner',
  'link',
  'code',
  'payout',
  'webhook',
]);

/** Fields of a partner that are the same in all programs of the workspace. */
const ofPerson: ReadonlySet<string> = new Set(['name', 'email']);

function placeOf({ type, programId, id }: AuditTarget, field: string): Key {
  const isOfPerson = type === 'partner' && ofPerson.has(field);
  return keys.lastChanges(type, isOfPerson ? undefined : programId, id);
}

/**
 * Writes that record who last changed these fields. The audit list contains this too, but is too long to search. These
 * writes never make a transaction fail.
 */
export function lastChangeWrites(target: AuditTarget, fields: readonly string[], change: LastChange): Write[] {
  if (!changeable.has(target.type)) return [];
  const byPlace = Object.values(Object.groupBy(fields, (field) => placeOf(target, field).pk));
  return byPlace.map((ofPlace = []) => ({
    name: 'lastChanges',
    key: placeOf(target, ofPlace[0]!),
    change: {
      set: {
        ...Object.fromEntries(ofPlace.map((field) => [field, change])),
        expires_at: auditExpirySeconds(new Date(change.at)),
      },
    },
  }));
}

/** The latest change of any of these fields; undefined if there is none, or if its record has expired. */
export async function lastChangeOf(
  table: Table,
  target: AuditTarget,
  fields: readonly string[],
): Promise<LastChange | undefined> {
  const found = await Promise.all(
    fields.map(async (field) => (await table.get<Record<string, LastChange>>(placeOf(target, field)))?.[field]),
  );
  return found.filter((change) => change !== undefined).toSorted((one, other) => (one.at < other.at ? 1 : -1))[0];
}
