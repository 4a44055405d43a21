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
  changes: Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [
      fieldName(field),
      { from: spelled(from), to: spelled(to) },
    ]),
  ),
});

/** Converts a field name to snake_case; currency codes stay unchanged. */
const fieldName = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Converts a stored value to the spelling of the API. */
function spelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [fieldName(name), spelled(inner)]));
}
