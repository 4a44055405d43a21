import { changesBetween } from '#lib/domain/audit.ts';
import type { Actor, ManualCommission } from '#lib/domain/commission.ts';
import { type Grant, newManualCommission } from '#lib/domain/commission-without-sale.ts';
import type { Partner } from '#lib/domain/partner.ts';
import { noRelationWithPartner, programNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { commissionWrites } from '#lib/service/store/commissions.ts';
import { activePartnerCheck } from '#lib/service/store/partner-status.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { partnerOf } from '#lib/service/use-cases/set-partner-status.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/**
 * Creates a commission that an owner grants to a partner, such as a bonus. Every call creates one.
 * @throws Refusal when the partner is removed from the program
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
      // An earlier attempt succeeded late.
      if (!(error instanceof ConditionFailed) || error.existing.get('commission')?.id !== id) throw error;
    });
    return commission;
  });
}
