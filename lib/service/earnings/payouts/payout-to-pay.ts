import {
  heldUntilOf,
  isHeld,
  type PayoutDetails,
  payoutDetailsText,
  type SealedPayoutDetails,
} from '#lib/service/programs/payout-details/payout-details.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { payoutsFlowCheck } from '#lib/service/people/workspaces/workspaces-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { downloadMails } from '#lib/service/earnings/payouts/download-mails.ts';
import { checkNotFrozen } from '#lib/service/earnings/payouts/freeze-payouts.ts';
import { isNewSinceLastPayout } from '#lib/service/earnings/last-payouts/is-new-since-last-payout.ts';
import type { LastPaid } from '#lib/service/earnings/last-payouts/last-payments.ts';
import { lastPaidAt } from '#lib/service/earnings/payouts/partner-payouts-items.ts';
import { isSentTo, type PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import { allLinesOf } from '#lib/service/earnings/lines/read-lines.ts';
import { type PayoutItemToPartner, withPartners } from '#lib/service/earnings/payouts/read-payouts.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { detailsOfPayout } from '#lib/service/programs/payout-details/shared-details.ts';
import { open } from '#lib/service/ground/effects/vault.ts';

/** A payout item with the partner's payout details, if they are shared. */
export interface PayoutItemToPay extends PayoutItemToPartner {
  readonly method?: string;
  readonly details?: string;
  /** The owner has never paid the partner with these details. */
  readonly isNew: boolean;
  /** The encrypted details. Undefined unless `details` are shown in full. */
  readonly sealed?: string;
}

export interface PayoutToPay {
  readonly payout: Payout;
  readonly items: readonly PayoutItemToPay[];
}

/** Each decryption is one call to the key service, so concurrency is limited. */
const OPENED_AT_ONCE = 50;

/**
 * Returns a payout with the full details of each partner who shares them. The access is recorded in the audit log, and
 * the affected partners are notified by e-mail.
 * @throws Refusal while payouts are frozen
 */
export const exportPayout = (deps: Deps, program: Program, payout: Payout): Promise<PayoutToPay> =>
  retryOnConflict(deps, async () => {
    await checkNotFrozen(deps, program.workspaceId);
    const stored = await withPartners(deps, payout, await allLinesOf(deps, payout));
    // This function may open details, so it has no access to the list of payouts.
    const lastPaid: LastPaid = (partner) => lastPaidAt(deps.table, partner, payout);
    const items = await inBatches(stored, async (item) => ({
      ...item,
      ...(await payment(deps, program, payout, lastPaid, item)),
    }));
    const whole = items.filter(({ sealed }) => sealed !== undefined);
    await checkStillShared(deps, program, payout, whole);
    const { id, programId } = payout;
    await deps.table.transactLong(
      [
        payoutsFlowCheck(program.workspaceId),
        ...auditWrites(deps, program.workspaceId, {
          action: 'payout.exported',
          target: { type: 'payout', id, programId },
        }),
        ...(await downloadMails(deps, program, whole)),
      ],
      [],
    );
    return { payout, items };
  });

async function inBatches<From, To>(all: readonly From[], work: (one: From) => Promise<To>): Promise<To[]> {
  const done: To[] = [];
  for (let at = 0; at < all.length; at += OPENED_AT_ONCE) {
    done.push(...(await Promise.all(all.slice(at, at + OPENED_AT_ONCE).map(work))));
  }
  return done;
}

type Payment = Pick<PayoutItemToPay, 'method' | 'details' | 'sealed' | 'isNew'>;

/**
 * Details and addresses that changed recently are hidden while they are held, in every payout, because an attacker may
 * have made the change.
 */
async function payment(
  deps: Deps,
  program: Program,
  payout: Payout,
  lastPaid: LastPaid,
  { partner, ...line }: PayoutLine & PayoutItemToPartner,
): Promise<Payment> {
  if (!partner) return { isNew: true };
  const details = detailsOfPayout(deps, program, partner, payout.createdAt);
  const [isNew, stored] = await Promise.all([isNewSinceLastPayout(lastPaid, partner, details), details]);
  if (line.paidTo === undefined) return { isNew, ...(stored && (await opened(deps, partner, stored))) };
  // From `sent` on, a line shows the details of that time: whole if they are the ones of now, else masked.
  if (stored && isSentTo(line, stored)) return { isNew, ...(await opened(deps, partner, stored)) };
  return { isNew, method: line.paidTo?.method, details: line.paidTo?.masked };
}

async function opened(deps: Deps, { accountId, addressHeldUntil }: Partner, stored: SealedPayoutDetails) {
  if (accountId === undefined) return undefined;
  const { sealed, updatedAt } = stored;
  const heldUntil = heldUntilOf({ heldUntil: stored.heldUntil, addressHeldUntil });
  if (isHeld({ heldUntil }, deps.now)) {
    const changed = isHeld(stored, deps.now) ? `Changed at ${updatedAt}` : 'The address of the partner was changed';
    return { method: 'held', details: `${changed}, to be seen from ${heldUntil}` };
  }
  const details = JSON.parse(await open(deps, sealed, { accountId })) as PayoutDetails;
  return { method: details.method, details: payoutDetailsText(details), sealed };
}

/**
 * Closes the race with a partner who leaves and changes the details between the two reads.
 * @throws ConditionFailed if shared details have changed
 */
async function checkStillShared(deps: Deps, program: Program, payout: Payout, whole: readonly PayoutItemToPay[]) {
  deps.table.forget();
  const again = await inBatches(whole, async ({ partnerId }) => {
    const partner: Partner | undefined = await findPartner(deps.table, program.id, partnerId);
    return partner && detailsOfPayout(deps, program, partner, payout.createdAt);
  });
  if (whole.some(({ sealed }, index) => sealed !== again[index]?.sealed)) throw new ConditionFailed(new Map());
}
