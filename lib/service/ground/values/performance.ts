import { eachCount, type NamedCounts } from '#lib/service/ground/counters/counter.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import { type Day, dayLater, daysWithin } from '#lib/service/ground/values/day.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';

/**
 * Money of a day or period in one currency. Commission and fee are net of deductions and may be negative. The
 * commission includes rejected amounts.
 */
interface Amounts {
  readonly revenueCents: number;
  readonly refundedCents: number;
  readonly commissionCents: number;
  readonly rejectedCents: number;
  readonly platformFeeCents: number;
}

export interface Totals extends NamedCounts {
  readonly amounts: Readonly<Record<Currency, Amounts>>;
}

export type DayOfPerformance = Totals & { readonly date: Day };

export interface Period {
  readonly from: Day;
  readonly to: Day;
}

export interface Performance extends Period {
  readonly days: readonly DayOfPerformance[];
  readonly totals: Totals;
  readonly previous: Period & { readonly totals: Totals };
}

const NOTHING: Totals = { ...eachCount(() => 0), amounts: {} };

/** The period of equal length that ends the day before another begins. */
export const periodBefore = ({ from, to }: Period): Period => ({
  from: dayLater(from, -daysWithin(from, to)),
  to: dayLater(from, -1),
});

/** A report on a period and the one before it. @param counted days with events, from both periods */
export function performanceOf({ from, to }: Period, counted: readonly DayOfPerformance[]): Performance {
  const byDate = new Map(counted.map((day) => [day.date, day]));
  const length = daysWithin(from, to);
  const daysSince = (start: number) =>
    Array.from({ length }, (_, day): DayOfPerformance => {
      const date = dayLater(from, start + day);
      return byDate.get(date) ?? { date, ...NOTHING };
    });
  const days = daysSince(0);
  return {
    from,
    to,
    days,
    totals: days.reduce(plus, NOTHING),
    previous: { ...periodBefore({ from, to }), totals: daysSince(-length).reduce(plus, NOTHING) },
  };
}

const plus = (total: Totals, day: DayOfPerformance): Totals => ({
  ...eachCount((name) => total[name] + day[name]),
  amounts: Object.fromEntries(
    Object.keys({ ...total.amounts, ...day.amounts })
      .toSorted()
      .map((currency) => [currency, plusAmounts(total.amounts[currency], day.amounts[currency])]),
  ),
});

const plusAmounts = (amounts: Amounts | undefined, more: Amounts | undefined): Amounts => ({
  revenueCents: sumOf([amounts?.revenueCents ?? 0, more?.revenueCents ?? 0]),
  refundedCents: sumOf([amounts?.refundedCents ?? 0, more?.refundedCents ?? 0]),
  commissionCents: sumOf([amounts?.commissionCents ?? 0, more?.commissionCents ?? 0]),
  rejectedCents: sumOf([amounts?.rejectedCents ?? 0, more?.rejectedCents ?? 0]),
  platformFeeCents: sumOf([amounts?.platformFeeCents ?? 0, more?.platformFeeCents ?? 0]),
});
