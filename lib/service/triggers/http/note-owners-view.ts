import type { AuditActor } from '#lib/domain/audit.ts';
import { hourOf } from '#lib/domain/day.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { auditEntryWrite } from '#lib/service/store/audit.ts';
import { viewedAsWrite } from '#lib/service/store/partner-accounts.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';

/** Leaves a row in the audit list when an owner looks at a program as a partner, by whatever route: one an hour. */
export async function noteOwnersView(
  { table, now, random }: Deps,
  { accountId, actor }: { readonly accountId: number; readonly actor: AuditActor },
  { id: programId, workspaceId }: Program,
  { id, name }: Partner,
): Promise<void> {
  const first = viewedAsWrite(accountId, { programId, partnerId: id }, hourOf(now));
  const row = auditEntryWrite(workspaceId, {
    action: 'partner.viewed_as',
    target: { type: 'partner', id, name, programId },
    changes: {},
    id: random.auditId(),
    at: now.toISOString(),
    actor,
  });
  await table.transact([first, row]).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
}
