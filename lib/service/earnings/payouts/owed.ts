import type { Currency } from '#lib/service/ground/values/currency.ts';
import { type Day, dayLater, dayOf } from '#lib/service/ground/values/day.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import {
  groupOf,
  heldCents,
  minimumOf,
  paidOfDue,
  type Payout,
  type PayoutMinimum,
  totalsOf,
} from '#lib/service/earnings/payouts/payout.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import {
  isAdjustment,
  isDue,
  isPending,
  type UnsettledCommission,
} from '#lib/service/earnings/commissions/unsettled-commission.ts';

/** What partners are owed in one currency. */
export interface OwedAmounts {
  readonly pendingCents: number;
  /** Net of deductions, without what is held. */
  readonly approvedCents: number;
  /** Approved, of partners whose payouts are held: they have just changed where these go. */
  readonly heldCents: number;
  /** What a payout made now would contain. */
  readonly dueNowCents: number;
  /**
   * Of the partners whose refunds since they were paid exceed what is approved: by how much. Not positive; later payouts
   * withhold it.
   */
  readonly balanceCents: number;
  /** What a payout would contain in addition when pending commissions are approved as their hold ends; in order. */
  readonly byDate: readonly DueDay[];
}

/** What becomes due on a day. */
export interface DueDay {
  readonly on: Day;
  readonly amountCents: number;
}

/** Days with a row of their own; later ones are in the last row. */
const MOST_DAYS = 90;

interface Payouts {
  /** The open one as it is; one that is not begun holds nothing. */
  readonly before: Pick<Payout, 'items'>;
  /** As it would be made now. */
  readonly after: Pick<Payout, 'items'>;
}

/**
 * By currency.
 * @param commissions every unsettled one of the program, or of one partner, as it reads
 * @param payouts of the program, or their items of this partner
 * @param held partners whose payouts are held
 */
export function owedBy(
  program: Pick<Program, 'autoApprove' | 'currency' | 'minimumPayoutCents'>,
  commissions: readonly UnsettledCommission[],
  { before, after }: Payouts,
  now: Date,
  held: ReadonlySet<number> = new Set(),
): Record<Currency, OwedAmounts> {
  const minimum = minimumOf(program);
  const lastDay = dayLater(dayOf(now), MOST_DAYS);
  // Without automatic approval the end of a hold adds nothing by itself.
  const additionsOf = (pending: readonly UnsettledCommission[]): DueDay[] =>
    (program.autoApprove ? pending : []).map((one) => ({
      on: [dayOf(new Date(one.holdUntil)), lastDay].toSorted()[0]!,
      amountCents: one.openCents,
    }));
  const ofPartners = Map.groupBy(commissions, groupOf)
    .values()
    .map((group) => {
      const owed = owedToPartner(group, heldCents(before, group[0]!), minimum, additionsOf);
      return held.has(group[0]!.partnerId) ? { ...owed, approvedCents: 0, heldCents: owed.approvedCents } : owed;
    });
  const byCurrency = Object.groupBy(ofPartners, ({ currency }) => currency);
  const dueNow = totalsOf(after);
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
 * @param group all of one partner and currency
 * @param held what the open payout holds of them already
 * @param additionsOf what becomes due of pending ones, and when
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
    approvedCents: openCents(due.filter((commission) => !isAdjustment(commission))),
    heldCents: 0,
    balanceCents: Math.min(0, dueCents),
    byDate,
  };
}

const openCents = (commissions: readonly UnsettledCommission[]): number =>
  sumOf(commissions.map((commission) => commission.openCents));

/** One row for each day on which anything is added, in order. */
export const joinedDays = (rows: readonly DueDay[]): DueDay[] =>
  [...Map.groupBy(rows, ({ on }) => on)]
    .map(([on, ofDay]) => ({ on, amountCents: sumOf(ofDay.map(({ amountCents }) => amountCents)) }))
    .filter(({ amountCents }) => amountCents !== 0)
    .toSorted((a, b) => (a.on < b.on ? -1 : 1));
