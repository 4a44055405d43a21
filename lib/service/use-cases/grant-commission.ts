import type { Actor, ManualCommission } from '#lib/domain/commission.ts';
import { type Grant, newManualCommission } from '#lib/domain/commission-without-sale.ts';
import type { Partner } from '#lib/domain/partner.ts';
import { noRelationWithPartner } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { commissionWrites } from '#lib/service/store/commissions.ts';
import { activePartnerCheck } from '#lib/service/store/partners.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';
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
    const partner = await partnerOf(deps, programId, partnerId);
    if (partner.status !== 'active') throw noRelationWithPartner();
    await table.transact([...commissionWrites(commission), activePartnerCheck(partner)]).catch((error: unknown) => {
      // An earlier attempt succeeded late.
      if (!(error instanceof ConditionFailed) || error.existing.get('commission')?.id !== id) throw error;
    });
    return commission;
  });
}
