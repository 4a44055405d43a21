import { type AuditedAct, isAct } from '#lib/domain/audit.ts';
import type { Deps } from '#lib/service/deps.ts';
import { auditEntryWrite } from '#lib/service/store/audit.ts';
import type { Write } from '#lib/service/store/writes.ts';

/**
 * The row that a change leaves in the audit list of its workspace; it belongs into the transaction of the change.
 * @returns one write; none when nobody acts (tracking, the processor, the operator) or nothing is changed
 */
export const auditWrites = (
  { actor, now, random }: Pick<Deps, 'actor' | 'now' | 'random'>,
  workspaceId: number,
  act: AuditedAct,
): Write[] =>
  actor && isAct(act)
    ? [auditEntryWrite(workspaceId, { changes: {}, ...act, id: random.auditId(), at: now.toISOString(), actor })]
    : [];
