import { type Actor, changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { Commission, ManualCommission } from '#lib/service/earnings/commissions/commission.ts';
import { type Grant, newManualCommission } from '#lib/service/earnings/commissions/commission-without-sale.ts';
import { asReadAt } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { externalIdTaken, noRelationWithPartner, programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { commissionWrites, findCommissionAt } from '#lib/service/earnings/commissions/commissions-items.ts';
import { externalIdWrites, findExternalId } from '#lib/service/earnings/commissions/commission-places-items.ts';
import { activePartnerCheck } from '#lib/service/programs/partners/partner-status-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Creates a commission that an owner grants to a partner, for example as a bonus, or a deduction from what is due to
 * the partner. A call with an external id may be repeated: it returns the commission as it is now. Every call without
 * an external id creates a new commission.
 * @throws Refusal if the partner was removed from the program, unless it is a deduction, or if another commission has
 * the external id
 */
export async function grantCommission(
  deps: Deps,
  { programId, id: partnerId }: Pick<Partner, 'programId' | 'id'>,
  grant: Grant,
  actor: Actor,
): Promise<ManualCommission> {
  const { table, now } = deps;
  let id: number | undefined;
  return retryOnConflict(deps, async () => {
    const [program, partner, reserved] = await Promise.all([
      findProgram(table, programId),
      partnerOf(deps, programId, partnerId),
      findExternalId(table, programId, grant.externalId),
    ]);
    if (!program) throw programNotFound();
    const first = reserved && (await findCommissionAt(table, { kind: 'manual', id: reserved.commissionId }));
    if (first) return asReadAt(sameGrant(first, partnerId, grant), program, now);
    const isDeduction = grant.amountCents < 0;
    const mayHave = isDeduction ? ['active', 'removed'] : ['active'];
    if (!mayHave.includes(partner.status)) throw noRelationWithPartner();
    id ??= await deps.ids.take(table);
    const commission = newManualCommission({ id, programId, partnerId }, grant, actor, now);
    const audit = auditWrites(deps, program.workspaceId, {
      action: 'commission.granted',
      target: { type: 'commission', id, programId },
      changes: changesBetween({}, { partnerId, ...grant }),
    });
    const writes = [
      ...commissionWrites(commission),
      ...externalIdWrites(commission, reserved),
      ...(isDeduction ? [] : [activePartnerCheck(partner)]),
      ...audit,
    ];
    await table.transact(writes).catch((error: unknown) => {
      // The commission may have been stored although an earlier attempt reported an error.
      if (!(error instanceof ConditionFailed) || error.existing.get('commission')?.id !== id) throw error;
    });
    return commission;
  });
}

/** Returns the commission that was granted first. @throws Refusal if the external id belongs to another grant */
function sameGrant(first: Commission, partnerId: number, { amountCents, currency }: Grant): ManualCommission {
  const isSame = first.partnerId === partnerId && first.amountCents === amountCents && first.currency === currency;
  if (first.kind !== 'manual' || !isSame) throw externalIdTaken(first.id);
  return first;
}
