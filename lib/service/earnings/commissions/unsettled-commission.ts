import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import {
  isUnsettled,
  payableCents,
  paidSoFarCents,
  statusAt,
} from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { type Day, dayOf } from '#lib/service/ground/values/day.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/** What a payout has to know of a commission that waits for one, or may come to. */
export interface UnsettledCommission extends Pick<
  Commission,
  'id' | 'partnerId' | 'currency' | 'status' | 'holdUntil'
> {
  /** What payouts still have to pay, once it is approved; negative for one that was reduced after it was paid. */
  readonly openCents: number;
  /** On which its sale was paid for, or its lead settled. */
  readonly saleDay: Day;
  /** A rule has flagged it, and nobody has looked at it: none held it. */
  readonly isFlagged?: true;
}

/** @returns undefined when the commission is settled */
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
      }
    : undefined;

/** As it reads at a moment. */
export const unsettledAt = (
  commission: UnsettledCommission,
  program: Pick<Program, 'autoApprove'>,
  now: Date,
): UnsettledCommission => ({ ...commission, status: statusAt(commission, program, now) });

/** Whether a payout may take it. @param commission as it reads */
export const isDue = ({ status }: UnsettledCommission): boolean => status !== 'held' && status !== 'pending';

/** Whether it waits for the end of its hold, or for an approval. @param commission as it reads */
export const isPending = ({ status }: UnsettledCommission): boolean => status === 'pending';

/** Whether it was paid before and has changed since. */
export const isAdjustment = ({ status }: UnsettledCommission): boolean => status === 'paid' || status === 'reversed';
