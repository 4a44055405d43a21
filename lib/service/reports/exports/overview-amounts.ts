import type { EventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import type { PartnerBalance } from '#lib/service/reports/exports/balances.ts';

/** A partner's amounts in one currency: this month's earnings, and everything earned so far by status. */
export interface OverviewAmounts {
  /** Commissions of this month, less refunds and rejections. */
  readonly earnedCents: number;
  readonly pendingCents: number;
  readonly inReviewCents: number;
  /** What a payout made now would pay, regardless of the minimum. */
  readonly readyCents: number;
  /** What a payout made now would pay if the partner's payouts were not on hold. */
  readonly heldBackCents: number;
  readonly paidCents: number;
  /** The part of it that was not reported as arrived. */
  readonly onTheWayCents: number;
}

const NOTHING: OverviewAmounts = {
  earnedCents: 0,
  pendingCents: 0,
  inReviewCents: 0,
  readyCents: 0,
  heldBackCents: 0,
  paidCents: 0,
  onTheWayCents: 0,
};

/** Computes the amounts of an overview. @param ofMonth what the counters have counted this month */
export function overviewAmounts(
  balances: Readonly<Record<Currency, PartnerBalance>>,
  ofMonth: EventCounts['amounts'],
): Record<Currency, OverviewAmounts> {
  const currencies = new Set([...Object.keys(balances), ...Object.keys(ofMonth)]);
  return Object.fromEntries(
    [...currencies].toSorted().map((currency) => {
      const { commissionCents = 0, rejectedCents = 0 } = ofMonth[currency] ?? {};
      return [currency, { ...balanceAmounts(balances[currency]), earnedCents: commissionCents - rejectedCents }];
    }),
  );
}

/** Whether a partner may still get money, in any currency. */
export const isOwed = (balances: Readonly<Record<Currency, PartnerBalance>>): boolean =>
  Object.values(balances).some(
    (one) => one.pendingCents + one.inReviewCents + one.approvedCents + one.restoredCents + one.heldCents !== 0,
  );

/** While payouts are on hold, all approved amounts are held back, not only a part. */
const balanceAmounts = (balance: PartnerBalance | undefined): OverviewAmounts =>
  balance
    ? {
        earnedCents: 0,
        pendingCents: balance.pendingCents,
        inReviewCents: balance.inReviewCents,
        readyCents: Math.max(0, balance.approvedCents + balance.restoredCents - balance.withheldCents),
        heldBackCents: Math.max(0, balance.heldCents - balance.withheldCents),
        paidCents: balance.paidCents,
        onTheWayCents: balance.onTheWayCents,
      }
    : NOTHING;

/** Adds up amounts by currency. */
export function summedAmounts(
  all: readonly Readonly<Record<Currency, OverviewAmounts>>[],
): Record<Currency, OverviewAmounts> {
  const currencies = new Set(all.flatMap((amounts) => Object.keys(amounts)));
  return Object.fromEntries(
    [...currencies].toSorted().map((currency) => {
      const some = all.map((amounts) => amounts[currency] ?? NOTHING);
      const sum = (name: keyof OverviewAmounts) => sumOf(some.map((one) => one[name]));
      return [
        currency,
        {
          earnedCents: sum('earnedCents'),
          pendingCents: sum('pendingCents'),
          inReviewCents: sum('inReviewCents'),
          readyCents: sum('readyCents'),
          heldBackCents: sum('heldBackCents'),
          paidCents: sum('paidCents'),
          onTheWayCents: sum('onTheWayCents'),
        },
      ];
    }),
  );
}
