import { type Actor, changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { ManualCommission } from '#lib/service/earnings/commissions/commission.ts';
import { type Grant, newManualCommission } from '#lib/service/earnings/commissions/commission-without-sale.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { noRelationWithPartner, programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { commissionWrites } from '#lib/service/earnings/commissions/commissions-items.ts';
import { activePartnerCheck } from '#lib/service/programs/partners/partner-status-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Creates a commission that an owner grants to a partner, for example as a bonus. The function is not idempotent: every
 * call creates another commission.
 * @throws Refusal if the partner was removed from the program
 */
export async function grantCommission(
  deps: Deps,
  { programId, id: partnerId }: Pick<Partner, 'programId' | 'id'>,
  grant: Grant,
  actor: Actor,
): Promise<ManualCommission> {
  const { table, now } = deps;
  const id = await deps.ids.take(table);
  const commission = newManualCommission({ id, programId, partnerId }, grant, actor, now);
  return retryOnConflict(deps, async () => {
    const [program, partner] = await Promise.all([
      findProgram(table, programId),
      partnerOf(deps, programId, partnerId),
    ]);
    if (!program) throw programNotFound();
    if (partner.status !== 'active') throw noRelationWithPartner();
    const audit = auditWrites(deps, program.workspaceId, {
      action: 'commission.granted',
      target: { type: 'commission', id, programId },
      changes: changesBetween({}, { partnerId, ...grant }),
    });
    const writes = [...commissionWrites(commission), activePartnerCheck(partner), ...audit];
    await table.transact(writes).catch((error: unknown) => {
      // An earlier attempt succeeded after its error was reported.
      if (!(error instanceof ConditionFailed) || error.existing.get('commission')?.id !== id) throw error;
    });
    return commission;
  });
}
