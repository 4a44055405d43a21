import { heldUntilOf, isHeld } from '#lib/service/programs/payout-details/payout-details.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import {
  findPayoutHold,
  type PayoutHold,
  payoutHoldsOf,
} from '#lib/service/programs/payout-details/payout-details-items.ts';
import { isShared } from '#lib/service/programs/payout-details/shared-details.ts';

// Payouts to an account are put on hold after its payout details were changed. The hold applies only in programs with
// which the details are shared. Other programs do not use them, and a hold would reveal to their brand that the account
// exists.

type Reads = Pick<Deps, 'table'>;

/** The partners of a program whose payouts are currently held. */
export async function heldPartnersOf(
  deps: Pick<Deps, 'table' | 'now'>,
  program: Program,
): Promise<ReadonlySet<number>> {
  const holds = await payoutHoldsOf(deps.table, program.id, deps.now);
  const counting = await Promise.all(holds.map((hold) => shownHold(deps, program, hold)));
  return new Set(
    holds.filter((_, index) => isHeld({ heldUntil: counting[index] }, deps.now)).map(({ partnerId }) => partnerId),
  );
}

/** When the hold of a partner's payouts in a program ends. Undefined if they are not on hold. */
export async function payoutsHeldUntil(deps: Reads, program: Program, partnerId: number): Promise<string | undefined> {
  const hold = await findPayoutHold(deps.table, { programId: program.id, partnerId });
  return hold && shownHold(deps, program, hold);
}

/** When a hold ends. Ignores the hold after a change of details that are not shared with the brand. */
async function shownHold(deps: Reads, program: Program, hold: PayoutHold): Promise<string | undefined> {
  const { partnerId, accountId, addressHeldUntil } = hold;
  if (accountId === undefined || hold.heldUntil === undefined) return heldUntilOf(hold);
  const partner = await findPartner(deps.table, program.id, partnerId);
  return partner && (await isShared(deps, program, partner)) ? heldUntilOf(hold) : addressHeldUntil;
}
