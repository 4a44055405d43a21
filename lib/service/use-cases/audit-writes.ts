import { actorText, type AuditedAct, isAct } from '#lib/domain/audit.ts';
import type { Deps } from '#lib/service/deps.ts';
import { auditEntryWrite } from '#lib/service/store/audit.ts';
import { lastChangeWrites } from '#lib/service/store/last-changes.ts';
import type { Write } from '#lib/service/store/writes.ts';

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
