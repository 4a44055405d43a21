import { heldUntilOf, isHeld, type PayoutDetails, payoutDetailsText } from '#lib/domain/payout-details.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Payout } from '#lib/domain/payout.ts';
import type { Program } from '#lib/domain/program.ts';
import { payoutsFrozen } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { payoutDetailsOfPartner } from '#lib/service/store/payout-details.ts';
import { payoutsFlowCheck } from '#lib/service/store/workspaces.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { checkNotFrozen } from '#lib/service/use-cases/freeze-payouts.ts';
import { isNewSinceLastPayout } from '#lib/service/use-cases/is-new-since-last-payout.ts';
import { type PayoutItemToPartner, toPartners } from '#lib/service/use-cases/read-payouts.ts';
import { open } from '#lib/service/vault.ts';

/** Where to send the money of an item, as of now. */
export interface PayoutItemToPay extends PayoutItemToPartner {
  readonly method?: string;
  readonly details?: string;
  /** The owner has never paid the partner there. */
  readonly isNew: boolean;
}

export interface PayoutToPay {
  readonly payout: Payout;
  readonly items: readonly PayoutItemToPay[];
}

/** Details are opened by the key service, one call each. */
const OPENED_AT_ONCE = 50;

/** A payout with the whole details of each partner. Who reads them is in the audit list. @throws Refusal while payouts are frozen */
export async function exportPayout(deps: Deps, { workspaceId }: Program, payout: Payout): Promise<PayoutToPay> {
  await checkNotFrozen(deps, workspaceId);
  const shown = await toPay(deps, payout);
  const { id, programId } = payout;
  const audit = auditWrites(deps, workspaceId, {
    action: 'payout.exported',
    target: { type: 'payout', id, programId },
  });
  await deps.table.transact([...audit, payoutsFlowCheck(workspaceId)]).catch((error: unknown) => {
    throw error instanceof ConditionFailed ? payoutsFrozen() : error;
  });
  return shown;
}

/** Once for each item. */
async function toPay(deps: Deps, payout: Payout): Promise<PayoutToPay> {
  const { items } = await toPartners(deps, payout);
  const paid: PayoutItemToPay[] = [];
  for (let at = 0; at < items.length; at += OPENED_AT_ONCE) {
    const some = items.slice(at, at + OPENED_AT_ONCE);
    paid.push(
      ...(await Promise.all(some.map(async (item) => ({ ...item, ...(await payment(deps, payout, item.partner)) })))),
    );
  }
  return { payout, items: paid };
}

type Payment = Pick<PayoutItemToPay, 'method' | 'details' | 'isNew'>;

/** While a change of details or address is held nobody is to be paid by it, for whichever payout: somebody else may have made it. */
async function payment(deps: Deps, payout: Payout, partner: Partner | undefined): Promise<Payment> {
  if (!partner) return { isNew: true };
  const stored = await payoutDetailsOfPartner(deps.table, partner);
  const isNew = await isNewSinceLastPayout(deps, partner, stored, payout);
  if (!stored || partner.accountId === undefined) return { isNew };
  const heldUntil = heldUntilOf({ heldUntil: stored.heldUntil, addressHeldUntil: partner.addressHeldUntil });
  if (isHeld({ heldUntil }, deps.now)) {
    const changed = isHeld(stored, deps.now)
      ? `Changed at ${stored.updatedAt}`
      : 'The address of the partner was changed';
    return { isNew, method: 'held', details: `${changed}, to be seen from ${heldUntil}` };
  }
  const details = JSON.parse(await open(deps, stored.sealed, { accountId: partner.accountId })) as PayoutDetails;
  return { isNew, method: details.method, details: payoutDetailsText(details) };
}
