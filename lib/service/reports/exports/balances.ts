import type { Currency } from '#lib/service/ground/values/currency.ts';
import { type Day, dayOf } from '#lib/service/ground/values/day.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import { type DueDay, joinedDays } from '#lib/service/earnings/payouts/owed.ts';
import { isApprovedByItself } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { minimumOf, paidOfDue } from '#lib/service/earnings/recording/planned-lines.ts';
import { nextPayoutDay } from '#lib/service/programs/program/payout-days.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import {
  isAdjustment,
  isDeduction,
  isDue,
  isHeldForReview,
  isPending,
  unsettledAt,
  type UnsettledCommission,
} from '#lib/service/earnings/commissions/unsettled-commission.ts';

/** A partner's earnings in one currency. */
export interface PartnerBalance {
  readonly pendingCents: number;
  /** Commissions that a hold rule holds until a person decides. */
  readonly inReviewCents: number;
  /** Approved commissions, without deductions made by hand and without amounts on hold. */
  readonly approvedCents: number;
  /**
   * The amount by which commissions that were already paid grew again, because the brand won disputes. Payouts pay it
   * in addition to approved commissions. Amounts on hold are not included.
   */
  readonly restoredCents: number;
  /** Total of all payout lines that have neither failed nor been voided. */
  readonly paidCents: number;
  /** The part of the paid amount that has not arrived yet. */
  readonly onTheWayCents: number;
  /** Approved and restored amounts, if they are left out because the partner's payouts are on hold; otherwise 0. */
  readonly heldCents: number;
  /** What payouts must still subtract: deductions, and refunds of commissions that were already paid. Not negative. */
  readonly withheldCents: number;
  /** What becomes approved automatically, by the day on which the hold period ends, earliest first. */
  readonly next: readonly DueDay[];
  /**
   * The next payout day, with the amount of a payout on that day if nothing else happens. Undefined if there is none.
   */
  readonly nextPayout?: DueDay;
}

interface Situation {
  readonly paidCents: Readonly<Record<Currency, number>>;
  /** The part of the paid amount that has arrived. */
  readonly arrivedCents: Readonly<Record<Currency, number>>;
  /** Until when payouts leave the partner out. */
  readonly heldUntil?: string;
  readonly now: Date;
}

/**
 * A partner's balances by currency.
 * @param commissions all unsettled commissions of the partner with their present status
 */
export function balancesOf(
  program: Pick<Program, 'autoApprove' | 'payoutDays'> & Parameters<typeof minimumOf>[0],
  commissions: readonly UnsettledCommission[],
  { paidCents, arrivedCents, heldUntil, now }: Situation,
): Record<Currency, PartnerBalance> {
  const groups = Object.groupBy(commissions, ({ currency }) => currency);
  const isHeldAt = (time: Date) => heldUntil !== undefined && Date.parse(heldUntil) > time.getTime();
  const isHeld = isHeldAt(now);
  const payoutDay = nextPayoutDay(program, dayOf(now));
  const payoutIn = (currency: Currency, on: Day): DueDay => {
    const before = lastMomentBefore(on, now);
    const due = (groups[currency] ?? []).filter((commission) => isDue(unsettledAt(commission, program, before)));
    return { on, amountCents: isHeldAt(before) ? 0 : paidOfDue(openCents(due), currency, minimumOf(program)) };
  };
  const balanceIn = (currency: Currency): PartnerBalance => {
    const all = groups[currency] ?? [];
    const pending = all.filter(isPending);
    const adjustedCents = openCents(all.filter(isAdjustment));
    const approved = all.filter((one) => isDue(one) && !isAdjustment(one) && !isDeduction(one));
    const approvedCents = openCents(approved);
    const restoredCents = Math.max(0, adjustedCents);
    return {
      pendingCents: openCents(pending),
      inReviewCents: openCents(all.filter(isHeldForReview)),
      approvedCents: isHeld ? 0 : approvedCents,
      restoredCents: isHeld ? 0 : restoredCents,
      paidCents: paidCents[currency] ?? 0,
      // Paid and arrived amounts may be read some seconds apart, so their difference could be negative.
      onTheWayCents: Math.max(0, (paidCents[currency] ?? 0) - (arrivedCents[currency] ?? 0)),
      heldCents: isHeld ? approvedCents + restoredCents : 0,
      withheldCents: Math.max(0, -adjustedCents) - openCents(all.filter(isDeduction)),
      // Only commissions that are approved automatically become payable when their hold period ends.
      next: joinedDays(pending.filter((one) => isApprovedByItself(one, program)).map(dueDay)),
      nextPayout: payoutDay === undefined ? undefined : payoutIn(currency, payoutDay),
    };
  };
  const currencies = new Set([...Object.keys(groups), ...Object.keys(paidCents)]);
  return Object.fromEntries([...currencies].toSorted().map((currency) => [currency, balanceIn(currency)]));
}

/** The last moment before a day begins; the present time if the day has already begun. */
const lastMomentBefore = (day: Day, now: Date): Date => new Date(Math.max(Date.parse(day) - 1, now.getTime()));

const openCents = (commissions: readonly UnsettledCommission[]): number =>
  sumOf(commissions.map((commission) => commission.openCents));

const dueDay = ({ holdUntil, openCents: amountCents }: UnsettledCommission): DueDay => ({
  on: dayOf(new Date(holdUntil)),
  amountCents,
});
