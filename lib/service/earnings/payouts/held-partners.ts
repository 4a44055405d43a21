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

// A change of payout details holds payouts only in programs where the details are shared. Elsewhere they are not used
// for payouts, and a hold would reveal to the brand that the account exists.

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

/** The end of the hold of a partner's payouts in a program. Undefined if they are not held. */
export async function payoutsHeldUntil(deps: Reads, program: Program, partnerId: number): Promise<string | undefined> {
  const hold = await findPayoutHold(deps.table, { programId: program.id, partnerId });
  return hold && shownHold(deps, program, hold);
}

/** The end of a hold, without holds that would reveal unshared data to the brand. */
async function shownHold(deps: Reads, program: Program, hold: PayoutHold): Promise<string | undefined> {
  const { partnerId, accountId, addressHeldUntil } = hold;
  if (accountId === undefined || hold.heldUntil === undefined) return heldUntilOf(hold);
  const partner = await findPartner(deps.table, program.id, partnerId);
  return partner && (await isShared(deps, program, partner)) ? heldUntilOf(hold) : addressHeldUntil;
}
