import type { Actor } from '#lib/service/ground/changes/audit.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import type { PayoutChoice } from '#lib/service/earnings/recording/payout-choice.ts';

/** The amount for one partner in one currency. */
export interface PayoutItem {
  readonly partnerId: number;
  readonly currency: Currency;
  readonly amountCents: number;
  /** Number of commissions in the amount. */
  readonly commissions: number;
}

/** The commissions of one line of a payout: all of them, or those that one step has recorded. */
export interface PayoutClaims extends Omit<PayoutItem, 'commissions'> {
  /** Commission ids in ascending order. */
  readonly commissionIds: readonly number[];
}

interface PayoutSum {
  readonly lines: number;
  readonly commissions: number;
  readonly amountCents: number;
}

/** What a payout has recorded so far, by currency. */
export type PayoutSums = Readonly<Record<Currency, PayoutSum>>;

/** A batch of payments to partners. The money is sent outside the service. Each line is a separate item. */
export interface Payout extends Pick<PayoutChoice, 'partnerId' | 'through'> {
  readonly id: number;
  readonly programId: number;
  /** The status is `open` until the last step. An open payout may still record further commissions. */
  readonly status: 'open' | 'made';
  /** Number of completed steps. */
  readonly steps: number;
  /** Sums by currency. Undefined in version 1. */
  readonly sums?: PayoutSums;
  /** Only in version 1: the lines of the payout, sorted by partner and currency. */
  readonly items?: readonly PayoutItem[];
  /** The line that the last step has recorded. The lines before it are complete; the next step may add to it. */
  readonly last?: Group;
  /** How many commissions the payout will contain, as planned at its last step. */
  readonly planned?: number;
  /** When the request that made the last step had begun. */
  readonly workedAt?: string;
  readonly createdAt: string;
  readonly createdBy: Actor;
  /** The owner's reference of the payment, such as the bank's transaction number. */
  readonly reference?: string;
}

export type Group = Pick<PayoutItem, 'partnerId' | 'currency'>;

/** A key of partner and currency that sorts in the order of a payout's lines. */
export const groupOf = ({ partnerId, currency }: Group): string => `${String(partnerId).padStart(16, '0')} ${currency}`;

/** What a payout has recorded so far. Also works for a payout of version 1. */
export const sumsOf = ({ sums, items = [] }: Pick<Payout, 'sums' | 'items'>): PayoutSums => sums ?? sumsOfItems(items);

/** Sums of lines by currency. */
export const sumsOfItems = (items: Iterable<PayoutItem>): PayoutSums =>
  Object.fromEntries(
    [...Map.groupBy(items, ({ currency }) => currency)].map(([currency, lines]) => [
      currency,
      {
        lines: lines.length,
        commissions: sumOf(lines.map(({ commissions }) => commissions)),
        amountCents: sumOf(lines.map(({ amountCents }) => amountCents)),
      },
    ]),
  );

/** The number of lines or commissions over all currencies. */
export const countIn = (sums: PayoutSums, what: 'lines' | 'commissions'): number =>
  sumOf(Object.values(sums).map((sum) => sum[what]));

export type PayoutTotals = Readonly<Record<Currency, number>>;

export const areSameTotals = (a: PayoutTotals, b: PayoutTotals): boolean =>
  [...Object.keys(a), ...Object.keys(b)].every((currency) => a[currency] === b[currency]);

export const totalsOf = (sums: PayoutSums): PayoutTotals =>
  Object.fromEntries(Object.entries(sums).map(([currency, { amountCents }]) => [currency, amountCents]));

/** Merges the claims of several steps into one entry per partner and currency, in order. */
export function joinedClaims(claims: readonly PayoutClaims[]): PayoutClaims[] {
  const groups = Map.groupBy(claims, groupOf);
  return [...groups.keys()].toSorted().map((name) => {
    const group = groups.get(name)!;
    return {
      partnerId: group[0]!.partnerId,
      currency: group[0]!.currency,
      amountCents: sumOf(group.map(({ amountCents }) => amountCents)),
      commissionIds: group.flatMap(({ commissionIds }) => commissionIds).toSorted((a, b) => a - b),
    };
  });
}

export const itemOfClaims = ({ commissionIds, ...claim }: PayoutClaims): PayoutItem => ({
  ...claim,
  commissions: commissionIds.length,
});

/**
 * The payout after its next step.
 * @param claims the commissions that the step records, by partner and currency in order
 * @param extended the line to which the first of the claims is added; undefined if no earlier step has recorded that
 * line
 */
export function withClaims(
  payout: Payout,
  claims: readonly PayoutClaims[],
  extended: Group | undefined,
  status: Payout['status'],
): Payout {
  const sums: Record<Currency, PayoutSum> = { ...sumsOf(payout) };
  for (const claim of claims) {
    const { lines, commissions, amountCents } = sums[claim.currency] ?? { lines: 0, commissions: 0, amountCents: 0 };
    sums[claim.currency] = {
      lines: lines + (extended && groupOf(extended) === groupOf(claim) ? 0 : 1),
      commissions: commissions + claim.commissionIds.length,
      amountCents: amountCents + claim.amountCents,
    };
  }
  const last = claims.at(-1);
  return {
    ...payout,
    status,
    steps: payout.steps + 1,
    ...(!payout.items && { sums }),
    ...(last && { last: { partnerId: last.partnerId, currency: last.currency } }),
  };
}

/** How many commissions an open payout has recorded, and how many it will contain. */
export const progressOf = (payout: Payout) => {
  const commissions = countIn(sumsOf(payout), 'commissions');
  return { commissions, of: Math.max(payout.planned ?? 0, commissions) };
};
