import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import {
  type AuditedAct,
  type AuditItem,
  type AuditTarget,
  entryIdAt,
  timeOfEntry,
} from '#lib/service/ground/changes/audit.ts';
import { batchItemWrites, entryIdOfBatch, findAuditItem } from '#lib/service/ground/changes/audit-items.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';

/** An object that is changed by one of the requests of a batch. */
interface ChangeInBatch {
  /** The caller's id of the batch. */
  readonly batch: string;
  readonly program: { readonly id: number; readonly workspaceId: number; readonly name: string };
  readonly act: AuditedAct;
  readonly item: AuditItem;
}

/**
 * Writes for the audit list of a workspace that count the object in the entry of its batch. There is one entry for each
 * person, action, program and batch. If the entry already counts the object, but someone has changed the object back
 * since, this change gets a separate entry.
 */
export async function batchAuditWrites(deps: Deps, { batch, program, act, item }: ChangeInBatch): Promise<Write[]> {
  const { actor, table, now, random } = deps;
  if (!actor) return [];
  const { id: programId, workspaceId, name } = program;
  const { action, changes = {}, amounts } = act;
  const hash = sha256(JSON.stringify([actor.kind, actor.id, action, programId, batch]));
  const id = await entryIdOfBatch(table, workspaceId, hash, entryIdAt(now, random.auditId()));
  if (await findAuditItem(table, workspaceId, id, item.id)) return auditWrites(deps, workspaceId, act);
  const target: AuditTarget = { type: 'program', id: programId, name, programId };
  const entry = { id, at: timeOfEntry(id)!, actor, action, target, changes: newValuesIn(changes), amounts };
  return batchItemWrites(workspaceId, entry, item);
}

/**
 * The new values of the changed fields. The former values are left out, because they may differ between the objects of
 * a batch.
 */
const newValuesIn = (changes: NonNullable<AuditedAct['changes']>) =>
  Object.fromEntries(
    Object.entries(changes).flatMap(([field, { to }]) => (to === null ? [] : [[field, { from: null, to }]])),
  );
