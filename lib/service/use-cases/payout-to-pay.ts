import { isHeld, type PayoutDetails, payoutDetailsText } from '#lib/domain/payout-details.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Payout } from '#lib/domain/payout.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { payoutDetailsOfPartner } from '#lib/service/store/payout-details.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { type PayoutItemToPartner, toPartners } from '#lib/service/use-cases/read-payouts.ts';
import { open } from '#lib/service/vault.ts';

/** Where to send the money of an item, as of now. */
export interface PayoutItemToPay extends PayoutItemToPartner {
  readonly method?: string;
  readonly details?: string;
}

export interface PayoutToPay {
  readonly payout: Payout;
  readonly items: readonly PayoutItemToPay[];
}

/** Details are opened by the key service, one call each. */
const OPENED_AT_ONCE = 50;

/** A payout with the whole details of each partner. Who reads them is in the audit list. */
export async function exportPayout(deps: Deps, { workspaceId }: Program, payout: Payout): Promise<PayoutToPay> {
  const shown = await toPay(deps, payout);
  const { id, programId } = payout;
  await deps.table.transact(
    auditWrites(deps, workspaceId, { action: 'payout.exported', target: { type: 'payout', id, programId } }),
  );
  return shown;
}

/** Once for each item. */
async function toPay(deps: Deps, payout: Payout): Promise<PayoutToPay> {
  const { items } = await toPartners(deps, payout);
  const paid: PayoutItemToPay[] = [];
  for (let at = 0; at < items.length; at += OPENED_AT_ONCE) {
    const some = items.slice(at, at + OPENED_AT_ONCE);
    paid.push(...(await Promise.all(some.map(async (item) => ({ ...item, ...(await payment(deps, item.partner)) })))));
  }
  return { payout, items: paid };
}

/** While a change is held nobody is to be paid by it, for whichever payout: somebody else may have made it. */
async function payment(deps: Deps, partner: Partner | undefined): Promise<Pick<PayoutItemToPay, 'method' | 'details'>> {
  const stored = partner && (await payoutDetailsOfPartner(deps.table, partner));
  if (!stored || partner.accountId === undefined) return {};
  if (isHeld(stored, deps.now)) {
    return { method: 'held', details: `Changed at ${stored.updatedAt}, to be seen from ${stored.heldUntil}` };
  }
  const details = JSON.parse(await open(deps, stored.sealed, { accountId: partner.accountId })) as PayoutDetails;
  return { method: details.method, details: payoutDetailsText(details) };
}
