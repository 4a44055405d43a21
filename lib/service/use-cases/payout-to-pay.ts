import {
  heldUntilOf,
  isHeld,
  type PayoutDetails,
  payoutDetailsText,
  type SealedPayoutDetails,
} from '#lib/domain/payout-details.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Payout } from '#lib/domain/payout.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findPartner } from '#lib/service/store/partners.ts';
import { payoutsFlowCheck } from '#lib/service/store/workspaces.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { downloadMails } from '#lib/service/use-cases/download-mails.ts';
import { checkNotFrozen } from '#lib/service/use-cases/freeze-payouts.ts';
import { isNewSinceLastPayout } from '#lib/service/use-cases/is-new-since-last-payout.ts';
import { type PayoutItemToPartner, toPartners } from '#lib/service/use-cases/read-payouts.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';
import { detailsOfPayout } from '#lib/service/use-cases/shared-details.ts';
import { open } from '#lib/service/vault.ts';

/** Where to send the money of an item, as far as the partner shares it. */
export interface PayoutItemToPay extends PayoutItemToPartner {
  readonly method?: string;
  readonly details?: string;
  /** The owner has never paid the partner there. */
  readonly isNew: boolean;
  /** Of whole details. */
  readonly sealed?: string;
}

export interface PayoutToPay {
  readonly payout: Payout;
  readonly items: readonly PayoutItemToPay[];
}

/** Details are opened by the key service, one call each. */
const OPENED_AT_ONCE = 50;

/**
 * A payout with the whole details of each partner who shares them. Who reads them is in the audit list, and is told to
 * those whose details they are. @throws Refusal while payouts are frozen
 */
export const exportPayout = (deps: Deps, program: Program, payout: Payout): Promise<PayoutToPay> =>
  retryOnConflict(deps, async () => {
    await checkNotFrozen(deps, program.workspaceId);
    const { items: stored } = await toPartners(deps, payout);
    const items = await inBatches(stored, async (item) => ({
      ...item,
      ...(await payment(deps, program, payout, item)),
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

/** While a change of details or address is held nobody is to be paid by it, for whichever payout: somebody else may have made it. */
async function payment(
  deps: Deps,
  program: Program,
  payout: Payout,
  { partner }: PayoutItemToPartner,
): Promise<Payment> {
  if (!partner) return { isNew: true };
  const details = detailsOfPayout(deps, program, partner, payout.createdAt);
  const [isNew, stored] = await Promise.all([isNewSinceLastPayout(deps, partner, details, payout), details]);
  return { isNew, ...(stored && (await opened(deps, partner, stored))) };
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

/** Somebody may have left, and changed the details, between the reads of both. @throws ConditionFailed */
async function checkStillShared(deps: Deps, program: Program, payout: Payout, whole: readonly PayoutItemToPay[]) {
  deps.table.forget();
  const again = await inBatches(whole, async ({ partnerId }) => {
    const partner: Partner | undefined = await findPartner(deps.table, program.id, partnerId);
    return partner && detailsOfPayout(deps, program, partner, payout.createdAt);
  });
  if (whole.some(({ sealed }, index) => sealed !== again[index]?.sealed)) throw new ConditionFailed(new Map());
}
