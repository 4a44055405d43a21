import { actorText, type AuditedAct, entryIdAt, isAct } from '#lib/service/ground/changes/audit.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { auditEntryWrite } from '#lib/service/ground/changes/audit-items.ts';
import { lastChangeWrites } from '#lib/service/ground/changes/last-changes-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/**
 * Writes for the audit list of a workspace and for the record of who last changed each field. Add them to the
 * transaction of the change.
 * @param act the change. If several transactions write the same entry, they must pass the same random id
 * @returns one or two writes; none if there is no actor (tracking, the processor, the operator) or nothing changed
 */
export function auditWrites(
  { actor, now, random }: Pick<Deps, 'actor' | 'now' | 'random'>,
  workspaceId: number,
  { id: randomId = random.auditId(), ...act }: AuditedAct & { readonly id?: string },
): Write[] {
  if (!actor || !isAct(act)) return [];
  const { changes = {}, action, target } = act;
  const at = now.toISOString();
  const id = entryIdAt(now, randomId);
  return [
    auditEntryWrite(workspaceId, { ...act, changes, id, at, actor }),
    ...(action === `${target.type}.changed`
      ? lastChangeWrites(target, Object.keys(changes), { at, by: actorText(actor) })
      : []),
  ];
}
