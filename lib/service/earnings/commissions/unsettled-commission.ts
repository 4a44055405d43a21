import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import {
  isUnsettled,
  payableCents,
  paidSoFarCents,
  statusAt,
} from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { type Day, dayOf } from '#lib/service/ground/values/day.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/** What a payout needs to know about an unsettled commission. */
export interface UnsettledCommission extends Pick<
  Commission,
  'id' | 'partnerId' | 'currency' | 'status' | 'holdUntil' | 'byHand'
> {
  /** The amount to be paid once the commission is approved. Negative if the commission was reduced after payment. */
  readonly openCents: number;
  /** The day of the sale's payment, or the day on which the lead was settled. */
  readonly saleDay: Day;
  /** Set if a rule flagged but did not hold the commission, so that no person has reviewed it. */
  readonly isFlagged?: true;
}

/** What a payout needs to know about a commission. @returns undefined if the commission is settled */
export const unsettledPart = (commission: Commission): UnsettledCommission | undefined =>
  isUnsettled(commission)
    ? {
        id: commission.id,
        partnerId: commission.partnerId,
        currency: commission.currency,
        status: commission.status,
        holdUntil: commission.holdUntil,
        openCents: payableCents(commission) - paidSoFarCents(commission),
        saleDay: dayOf(new Date(commission.occurredAt)),
        ...((commission.flags ?? []).length > 0 && commission.heldAt === undefined && { isFlagged: true as const }),
        ...(commission.byHand && { byHand: commission.byHand }),
      }
    : undefined;

/** The commission with its status at a given time. */
export const unsettledAt = <Part extends UnsettledCommission>(
  commission: Part,
  program: Pick<Program, 'autoApprove'>,
  now: Date,
): Part => ({ ...commission, status: statusAt(commission, program, now) });

/** Whether a payout may pay the commission. @param commission with its status at a given time (see unsettledAt) */
export const isDue = ({ status }: UnsettledCommission): boolean => status !== 'held' && status !== 'pending';

/** Whether a rule holds the commission until a person decides. */
export const isHeldForReview = ({ status }: UnsettledCommission): boolean => status === 'held';

/**
 * Whether the commission waits for its hold period to end or for an approval.
 * @param commission with its status at a given time (see unsettledAt)
 */
export const isPending = ({ status }: UnsettledCommission): boolean => status === 'pending';

/** Whether the commission is a deduction that an owner made by hand and that no payout has subtracted yet. */
export const isDeduction = ({ status, openCents }: UnsettledCommission): boolean =>
  status === 'approved' && openCents < 0;

/** Whether the commission changed after it was paid. */
export const isAdjustment = ({ status }: UnsettledCommission): boolean => status === 'paid' || status === 'reversed';
