import type { Commission } from '#lib/domain/commission.ts';
import { dueCents, payableCents } from '#lib/domain/commission-lifecycle.ts';
import { type Day, dayLater, dayOf } from '#lib/domain/day.ts';
import { currencies, type Currency } from '#lib/domain/money.ts';
import type { Program } from '#lib/domain/program.ts';

/** What partners are owed in one currency. */
export interface OwedAmounts {
  readonly pendingCents: number;
  /** Net of deductions. */
  readonly approvedCents: number;
  /** Nothing is held back from payouts yet. */
  readonly heldCents: number;
  /** What a payout made now would contain. */
  readonly dueNowCents: number;
  /** What pending commissions add on the day their hold ends; in order. */
  readonly byDate: readonly { readonly on: Day; readonly amountCents: number }[];
}

/** Days with a row of their own; later ones are in the last row. */
const MOST_DAYS = 90;

/**
 * @param commissions every unsettled one of the program, as it reads
 * @param dueNow by currency
 */
export function owedBy(
  { autoApprove }: Pick<Program, 'autoApprove'>,
  commissions: readonly Commission[],
  dueNow: Readonly<Partial<Record<Currency, number>>>,
  now: Date,
): Partial<Record<Currency, OwedAmounts>> {
  const lastDay = dayLater(dayOf(now), MOST_DAYS);
  const dayOfHold = ({ holdUntil }: Commission): Day => [dayOf(new Date(holdUntil)), lastDay].toSorted()[0]!;
  const byCurrency = Object.groupBy(commissions, ({ currency }) => currency);
  const owedIn = currencies.filter((currency) => currency in byCurrency || currency in dueNow);
  return Object.fromEntries(
    owedIn.toSorted().map((currency) => {
      const owed = byCurrency[currency] ?? [];
      const pending = owed.filter(({ status }) => status === 'pending');
      const approved = owed.filter(({ status }) => status === 'approved');
      // Without automatic approval the end of a hold adds nothing by itself.
      const byDay = Object.groupBy(autoApprove ? pending : [], dayOfHold);
      return [
        currency,
        {
          pendingCents: sum(pending.map(payableCents)),
          approvedCents: sum(approved.map(dueCents)),
          heldCents: 0,
          dueNowCents: dueNow[currency] ?? 0,
          byDate: Object.keys(byDay)
            .toSorted()
            .map((on) => ({ on, amountCents: sum(byDay[on]!.map(payableCents)) })),
        },
      ];
    }),
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
