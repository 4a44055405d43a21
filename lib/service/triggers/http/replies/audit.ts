import type { AuditEntry } from '#lib/domain/audit.ts';
import type * as wire from '#lib/wire/audit.ts';

export const auditEntryReply = ({ id, at, actor, action, target, changes }: AuditEntry): wire.AuditEntry => ({
  id,
  at,
  actor: { kind: actor.kind, id: actor.id, name: actor.name, email: actor.email ?? null },
  action,
  target: {
    type: target.type,
    id: String(target.id),
    name: target.name ?? null,
    program_id: target.programId ?? null,
  },
  changes: Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [
      fieldName(field),
      { from: spelled(from), to: spelled(to) },
    ]),
  ),
});

/** A currency stays as it is. */
const fieldName = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A value of the domain in the interface's spelling. */
function spelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [fieldName(name), spelled(inner)]));
}
