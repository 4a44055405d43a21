import type { Currency } from '#lib/service/ground/values/currency.ts';
import { isApprovedByItself } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { type Day, dayLater, dayOf } from '#lib/service/ground/values/day.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import { groupOf, type PayoutItem, type PayoutTotals } from '#lib/service/earnings/payouts/payout.ts';
import { minimumOf, paidOfDue, type PayoutMinimum } from '#lib/service/earnings/recording/planned-lines.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import {
  isAdjustment,
  isDue,
  isPending,
  type UnsettledCommission,
} from '#lib/service/earnings/commissions/unsettled-commission.ts';

/** The amounts that a program owes to partners in one currency. */
export interface OwedAmounts {
  readonly pendingCents: number;
  /** The sum of approved commissions less deductions made by hand. Partners with payouts on hold are not included. */
  readonly approvedCents: number;
  /**
   * What is owed to partners whose payouts are on hold after a recent change of payout details or e-mail address:
   * approved commissions, and what was restored to paid commissions because the brand won a dispute.
   */
  readonly heldCents: number;
  /** The total that a payout made now would pay. */
  readonly dueNowCents: number;
  /**
   * Sum of the negative balances of partners: refunds of commissions that were already paid, as far as they exceed the
   * partner's approved commissions. Zero or negative; later payouts deduct it.
   */
  readonly balanceCents: number;
  /** What becomes due when the hold periods of pending commissions end, by day and in order of date. */
  readonly byDate: readonly DueDay[];
}

/** The amount that becomes due on a day. */
export interface DueDay {
  readonly on: Day;
  readonly amountCents: number;
}

/** Number of days with a separate row. What becomes due later is added to the last row. */
const MOST_DAYS = 90;

interface Payouts {
  /** The line that an open payout has recorded last, to which it may still add commissions. */
  readonly begun?: Pick<PayoutItem, 'partnerId' | 'currency' | 'amountCents'>;
  /** The totals of the payout that would be made now. */
  readonly totals: PayoutTotals;
}

/**
 * Computes the owed amounts by currency.
 * @param commissions all unsettled commissions of the program or of one partner, with their current status
 * @param payouts what payouts have recorded and would pay now: of the whole program, or of this partner only
 * @param held partners whose payouts are on hold
 */
export function owedBy(
  program: Pick<Program, 'autoApprove' | 'currency' | 'minimumPayoutCents'>,
  commissions: readonly UnsettledCommission[],
  { begun, totals: dueNow }: Payouts,
  now: Date,
  held: ReadonlySet<number> = new Set(),
): Record<Currency, OwedAmounts> {
  const minimum = minimumOf(program);
  const lastDay = dayLater(dayOf(now), MOST_DAYS);
  // What becomes due when the hold periods of these commissions end. Nothing, if the program does not approve
  // commissions automatically.
  const additionsOf = (pending: readonly UnsettledCommission[]): DueDay[] =>
    pending
      .filter((one) => isApprovedByItself(one, program))
      .map((one) => ({
        on: [dayOf(new Date(one.holdUntil)), lastDay].toSorted()[0]!,
        amountCents: one.openCents,
      }));
  const ofPartners = Map.groupBy(commissions, groupOf)
    .values()
    .map((group) => {
      const owed = owedToPartner(
        group,
        begun && groupOf(begun) === groupOf(group[0]!) ? begun.amountCents : 0,
        minimum,
        additionsOf,
      );
      return held.has(group[0]!.partnerId)
        ? { ...owed, approvedCents: 0, heldCents: owed.approvedCents + owed.restoredCents }
        : owed;
    });
  const byCurrency = Object.groupBy(ofPartners, ({ currency }) => currency);
  const currencies = new Set([...Object.keys(byCurrency), ...Object.keys(dueNow)]);
  return Object.fromEntries(
    [...currencies].toSorted().map((currency) => {
      const partners = byCurrency[currency] ?? [];
      const amounts: OwedAmounts = {
        pendingCents: sumOf(partners.map(({ pendingCents }) => pendingCents)),
        approvedCents: sumOf(partners.map(({ approvedCents }) => approvedCents)),
        heldCents: sumOf(partners.map((partner) => partner.heldCents)),
        dueNowCents: dueNow[currency] ?? 0,
        balanceCents: sumOf(partners.map(({ balanceCents }) => balanceCents)),
        byDate: joinedDays(partners.flatMap(({ byDate }) => byDate)),
      };
      return [currency, amounts];
    }),
  );
}

/**
 * The amounts owed to one partner in one currency.
 * @param group all unsettled commissions of one partner and currency
 * @param held what the open payout has already recorded of them
 * @param additionsOf returns what pending commissions make due, by day
 */
function owedToPartner(
  group: readonly UnsettledCommission[],
  held: number,
  minimum: PayoutMinimum,
  additionsOf: (pending: readonly UnsettledCommission[]) => readonly DueDay[],
) {
  const { currency } = group[0]!;
  const due = group.filter(isDue);
  const pending = group.filter(isPending);
  const dueCents = sumOf([held, openCents(due)]);
  let dueThen = dueCents;
  const byDate = joinedDays(additionsOf(pending)).map(({ on, amountCents }) => {
    const paidBefore = paidOfDue(dueThen, currency, minimum);
    dueThen += amountCents;
    return { on, amountCents: paidOfDue(dueThen, currency, minimum) - paidBefore };
  });
  return {
    currency,
    pendingCents: openCents(pending),
    approvedCents: openCents(due.filter((one) => !isAdjustment(one))),
    restoredCents: Math.max(0, openCents(due.filter(isAdjustment))),
    heldCents: 0,
    balanceCents: Math.min(0, dueCents),
    byDate,
  };
}

const openCents = (commissions: readonly UnsettledCommission[]): number =>
  sumOf(commissions.map((commission) => commission.openCents));

/** Sums up the amounts of each day, in order of date. Days with a sum of zero are left out. */
export const joinedDays = (rows: readonly DueDay[]): DueDay[] =>
  [...Map.groupBy(rows, ({ on }) => on)]
    .map(([on, ofDay]) => ({ on, amountCents: sumOf(ofDay.map(({ amountCents }) => amountCents)) }))
    .filter(({ amountCents }) => amountCents !== 0)
    .toSorted((a, b) => (a.on < b.on ? -1 : 1));
