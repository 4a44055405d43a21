import { actorText, type AuditedAct, isAct } from '#lib/service/ground/changes/audit.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { auditEntryWrite } from '#lib/service/ground/changes/audit-items.ts';
import { lastChangeWrites } from '#lib/service/ground/changes/last-changes-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/**
 * The row that a change leaves in the audit list of its workspace, and who changed which fields last; it belongs into the
 * transaction of the change.
 * @param act with an id of its own where its row may be written more than once
 * @returns one or two writes; none when nobody acts (tracking, the processor, the operator) or nothing is changed
 */
export function auditWrites(
  { actor, now, random }: Pick<Deps, 'actor' | 'now' | 'random'>,
  workspaceId: number,
  { id = random.auditId(), ...act }: AuditedAct & { readonly id?: string },
): Write[] {
  if (!actor || !isAct(act)) return [];
  const { changes = {}, action, target } = act;
  const at = now.toISOString();
  return [
    auditEntryWrite(workspaceId, { ...act, changes, id, at, actor }),
    ...(action === `${target.type}.changed`
      ? lastChangeWrites(target, Object.keys(changes), { at, by: actorText(actor) })
      : []),
  ];
}
