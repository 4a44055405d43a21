import type { AuditItem } from '#lib/service/ground/changes/audit.ts';
import { csvOf } from '#lib/service/http/messages/csv.ts';
import { fieldName, spelled } from '#lib/service/http/messages/spelled.ts';
import type { ListedAuditEntry } from '#lib/service/people/workspaces/list-audit.ts';
import type * as wire from '#lib/wire/people/audit.ts';

export const auditEntryReply = ({ id, at, action, changes, ...entry }: ListedAuditEntry): wire.AuditEntry => ({
  id,
  at,
  actor: { kind: entry.actor.kind, id: entry.actor.id, name: entry.actor.name, email: entry.actorEmail ?? null },
  action,
  target: {
    type: entry.target.type,
    id: String(entry.target.id),
    name: entry.target.name ?? entry.memberEmail ?? null,
    program_id: entry.target.programId ?? null,
  },
  count: entry.count ?? 1,
  amounts: entry.amounts ?? {},
  changes: Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [
      fieldName(field),
      { from: spelled(from), to: spelled(to) },
    ]),
  ),
});

export const auditItemReply = ({ id, name, amountCents, currency }: AuditItem): wire.AuditItem => ({
  id: String(id),
  name: name ?? null,
  amount_cents: amountCents ?? null,
  currency: currency ?? null,
});

/** Amounts and changes are JSON, as in the list; empty if there are none. */
const jsonCell = (value: object): string => (Object.keys(value).length === 0 ? '' : JSON.stringify(value));

/** The CSV file of the list. */
export const auditCsv = csvOf<wire.AuditEntry>({
  at: ({ at }) => at,
  actor: ({ actor: { name, email } }) => (email === null ? name : `${name} <${email}>`),
  action: ({ action }) => action,
  target_type: ({ target }) => target.type,
  target_id: ({ target }) => target.id,
  target_name: ({ target }) => target.name ?? undefined,
  program_id: ({ target }) => target.program_id ?? undefined,
  count: ({ count }) => count,
  amounts: ({ amounts }) => jsonCell(amounts),
  changes: ({ changes }) => jsonCell(changes),
});
