import { hourOf } from '#lib/domain/day.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { viewedAsWrite } from '#lib/service/store/partner-accounts.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';

/** Leaves a row in the audit list when an owner looks at a program as a partner: one an hour. */
export async function noteOwnersView(
  deps: Deps,
  accountId: number,
  { id: programId, workspaceId }: Program,
  { id, name }: Partner,
): Promise<void> {
  const first = viewedAsWrite(accountId, { programId, partnerId: id }, hourOf(deps.now));
  const row = auditWrites(deps, workspaceId, {
    action: 'partner.viewed_as',
    target: { type: 'partner', id, name, programId },
  });
  await deps.table.transact([first, ...row]).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
}
