import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import { payoutsFrozen, workspaceNotFound } from '#lib/service/ground/values/refusals.ts';
import {
  type Freezer,
  hasFrozenPayouts,
  withFrozenPayouts,
  withThawedPayouts,
  type Workspace,
} from '#lib/service/people/workspaces/workspace.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { changedWorkspaceWrite, findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Freezes or unfreezes the payouts of all programs of a workspace. A payout in progress stops before its next step,
 * stays open, and continues when it is requested again after the freeze ends. May be repeated.
 * @throws Refusal if an owner unfreezes what the operator has frozen
 */
export const freezePayouts = (
  deps: Pick<Deps, 'table' | 'now' | 'random' | 'actor'>,
  workspaceId: number,
  isFrozen: boolean,
  by: Freezer,
): Promise<Workspace> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const before = await findWorkspace(table, workspaceId);
    if (!before) throw workspaceNotFound();
    const after = isFrozen ? withFrozenPayouts(before, by) : withThawedPayouts(before, by);
    if (after === before) return before;
    await table.transact([
      changedWorkspaceWrite(before, after),
      ...auditWrites(deps, workspaceId, {
        action: 'workspace.changed',
        target: { type: 'workspace', id: workspaceId, name: before.name },
        changes: changesBetween(
          { payoutsFrozen: hasFrozenPayouts(before) },
          { payoutsFrozen: hasFrozenPayouts(after) },
        ),
      }),
    ]);
    return after;
  });

/** Checks that payouts are possible. @throws Refusal if the payouts of the workspace are frozen */
export async function checkNotFrozen({ table }: Pick<Deps, 'table'>, workspaceId: number): Promise<void> {
  const workspace = await findWorkspace(table, workspaceId);
  if (workspace && hasFrozenPayouts(workspace)) throw payoutsFrozen();
}
