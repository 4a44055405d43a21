import { type AuditActor, entryIdAt } from '#lib/service/ground/changes/audit.ts';
import { hourOf } from '#lib/service/ground/values/day.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { auditEntryWrite } from '#lib/service/ground/changes/audit-items.ts';
import { viewedAsWrite } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

/** Writes an audit row, at most one an hour, when an owner views a program as a partner on any route. */
export async function recordOwnersView(
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
    id: entryIdAt(now, random.auditId()),
    at: now.toISOString(),
    actor,
  });
  await table.transact([first, row]).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
}
