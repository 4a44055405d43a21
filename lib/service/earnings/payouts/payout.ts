import type { Actor } from '#lib/service/ground/changes/audit.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import { type Currency } from '#lib/service/ground/values/currency.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import {
  isAdjustment,
  isDue,
  type UnsettledCommission,
} from '#lib/service/earnings/commissions/unsettled-commission.ts';

/** Which commissions a payout takes. */
export interface PayoutRequest {
  /** Absent = all partners. */
  readonly partnerId?: number;
  /** Last payment day; adjustments of already paid commissions are included regardless of their day. */
  readonly through?: Day;
}

/** The amount for one partner in one currency. */
export interface PayoutItem {
  readonly partnerId: number;
  readonly currency: Currency;
  readonly amountCents: number;
  /** How many commissions the amount is made of. */
  readonly commissions: number;
}

/** The commissions of a payout item, or those that one step has claimed. */
export interface PayoutClaims extends Omit<PayoutItem, 'commissions'> {
  /** In order. */
  readonly commissionIds: readonly number[];
}

/** A batch of payments to partners. The money is sent outside the service. */
export interface Payout extends PayoutRequest {
  readonly id: number;
  readonly programId: number;
  /** `open` until its last step: it may still take commissions. */
  readonly status: 'open' | 'made';
  /** How many steps it has taken so far. */
  readonly steps: number;
  /** By partner and currency. */
  readonly items: readonly PayoutItem[];
  readonly createdAt: string;
  /** Absent on payouts that were begun before this was kept. */
  readonly createdBy: Actor;
  /** What the owner calls the payment, such as the bank's transaction number. */
  readonly reference?: string;
}

/**
 * The most that one payout holds: its replies stay far below 6 MB and its item far below 400 KB. What does not fit waits
 * for the next payout.
 */
const most = { commissions: 20_000, items: 2_000 };

type Group = Pick<PayoutItem, 'partnerId' | 'currency'>;

/** Names a partner and currency, in the order of a payout's items. */
export const groupOf = ({ partnerId, currency }: Group): string => `${String(partnerId).padStart(16, '0')} ${currency}`;

/** Which dues are too small for a payout. */
export interface PayoutMinimum {
  readonly currency: Currency;
  readonly cents: number;
}

/** In the program's currency only: amounts in others cannot be compared with it. */
export const minimumOf = (program: Pick<Program, 'currency' | 'minimumPayoutCents'>): PayoutMinimum => ({
  currency: program.currency,
  cents: program.minimumPayoutCents ?? 0,
});

/**
 * What a payout pays of what is due to a partner in one currency: all of it or, below the minimum, nothing. What it does
 * not pay is carried over.
 */
export const paidOfDue = (dueCents: number, currency: Currency, minimum: PayoutMinimum): number =>
  dueCents > 0 && (currency !== minimum.currency || dueCents >= minimum.cents) ? dueCents : 0;

/**
 * The commissions that a payout is still to take: those of each partner and currency whose dues it pays, together with
 * what it holds of them already.
 *
 * In each group the largest dues come first and negative ones last. So a payout that was interrupted anywhere holds a
 * positive amount of every group it has begun.
 * @param commissions as they read
 */
export function claimsOf(
  commissions: readonly UnsettledCommission[],
  payout: Payout,
  minimum: PayoutMinimum,
): UnsettledCommission[] {
  const due = duesOf(commissions, payout)
    .filter(({ currency, dueCents }) => paidOfDue(dueCents, currency, minimum) > 0)
    .map(({ group }) => group.toSorted((a, b) => b.openCents - a.openCents || a.id - b.id))
    .map((group) => atOnce(group, heldCents(payout, group[0]!)));
  return fitting(due, payout);
}

/** What is due to each partner in each currency, together with what the payout holds of it already; in order. */
function duesOf(commissions: readonly UnsettledCommission[], payout: Payout) {
  const wanted = commissions.filter((commission) => isDue(commission) && isWithin(commission, payout));
  const groups = Object.groupBy(wanted, groupOf);
  return Object.keys(groups)
    .toSorted()
    .map((name) => {
      const group = groups[name]!;
      const { currency } = group[0]!;
      const dueCents = sumOf([heldCents(payout, group[0]!), ...group.map(({ openCents }) => openCents)]);
      return { group, currency, dueCents };
    });
}

/** Dues that a payout leaves to later ones because they are below the minimum. */
export interface CarriedOver {
  readonly minimum: PayoutMinimum;
  readonly partners: number;
  readonly amountCents: number;
}

/** @param commissions as they read @returns undefined when nothing is below the minimum */
export function carriedOver(
  commissions: readonly UnsettledCommission[],
  payout: Payout,
  minimum: PayoutMinimum,
): CarriedOver | undefined {
  const small = duesOf(commissions, payout).filter(
    ({ currency, dueCents }) => dueCents > 0 && paidOfDue(dueCents, currency, minimum) === 0,
  );
  if (small.length === 0) return undefined;
  return { minimum, partners: small.length, amountCents: sumOf(small.map(({ dueCents }) => dueCents)) };
}

/**
 * As much as one payout may hold. A group is taken whole or left to the next payout; only one that is too large for any
 * payout, or that this payout has begun, is taken in parts.
 */
function fitting(groups: readonly (readonly UnsettledCommission[])[], payout: Payout): UnsettledCommission[] {
  let room = most.commissions - sumOf(payout.items.map(({ commissions }) => commissions));
  let newItems = most.items - payout.items.length;
  const taken: UnsettledCommission[] = [];
  for (const group of groups) {
    const isBegun = itemOf(payout, group[0]!) !== undefined;
    const mayBeCut = isBegun || group.length > most.commissions;
    if ((!isBegun && newItems === 0) || (group.length > room && !mayBeCut)) continue;
    const part = group.slice(0, room);
    taken.push(...part);
    room -= part.length;
    if (!isBegun && part.length > 0) newItems -= 1;
  }
  return taken;
}

/** What a payout holds already of a partner and currency. */
export const heldCents = (payout: Pick<Payout, 'items'>, group: Group): number =>
  itemOf(payout, group)?.amountCents ?? 0;

/** As many of a group, in order, as add up exactly. What was sold before amounts had a bound may need another payout. */
function atOnce(group: readonly UnsettledCommission[], held: number): readonly UnsettledCommission[] {
  let total = held;
  const tooMuch = group.findIndex(({ openCents }) => !Number.isSafeInteger((total += openCents)));
  return tooMuch === -1 ? group : group.slice(0, tooMuch);
}

const isWithin = (commission: UnsettledCommission, { partnerId, through }: PayoutRequest): boolean =>
  (partnerId === undefined || commission.partnerId === partnerId) &&
  (through === undefined || isAdjustment(commission) || commission.saleDay <= through);

const itemOf = ({ items }: Pick<Payout, 'items'>, group: Group): PayoutItem | undefined =>
  items.find((item) => item.partnerId === group.partnerId && item.currency === group.currency);

/** Commissions that one step takes, and what it claims: the most that fit into its transaction. @param claims as they read */
export function stepOf(claims: readonly UnsettledCommission[], mostWrites: number): UnsettledCommission[] {
  const groups = new Set<string>();
  const tooMany = claims.findIndex((claim, index) => index + 1 + groups.add(groupOf(claim)).size > mostWrites);
  return claims.slice(0, tooMany === -1 ? undefined : tooMany);
}

/** Commissions by partner and currency, in order. @param claims as they read */
export const claimsByItem = (claims: readonly UnsettledCommission[]): PayoutClaims[] =>
  joinedClaims(
    claims.map((claim) => ({
      partnerId: claim.partnerId,
      currency: claim.currency,
      amountCents: claim.openCents,
      commissionIds: [claim.id],
    })),
  );

/** What several steps have claimed, one entry for each partner and currency, in order. */
export function joinedClaims(claims: readonly PayoutClaims[]): PayoutClaims[] {
  const groups = Object.groupBy(claims, groupOf);
  return Object.keys(groups)
    .toSorted()
    .map((name) => ({
      partnerId: groups[name]![0]!.partnerId,
      currency: groups[name]![0]!.currency,
      amountCents: sumOf(groups[name]!.map(({ amountCents }) => amountCents)),
      commissionIds: groups[name]!.flatMap(({ commissionIds }) => commissionIds).toSorted((a, b) => a - b),
    }));
}

/** The payout after its next step. */
export function withClaims(payout: Payout, claims: readonly PayoutClaims[], status: Payout['status']): Payout {
  const items = new Map(payout.items.map((item) => [groupOf(item), item]));
  for (const { commissionIds, ...claim } of claims) {
    const { amountCents, commissions } = items.get(groupOf(claim)) ?? { amountCents: 0, commissions: 0 };
    items.set(groupOf(claim), {
      partnerId: claim.partnerId,
      currency: claim.currency,
      amountCents: amountCents + claim.amountCents,
      commissions: commissions + commissionIds.length,
    });
  }
  const inOrder = [...items].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...payout, status, steps: payout.steps + 1, items: inOrder.map(([, item]) => item) };
}

/** What a payout sums to, by currency. */
export type PayoutTotals = Readonly<Record<Currency, number>>;

export const areSameTotals = (a: PayoutTotals, b: PayoutTotals): boolean =>
  [...Object.keys(a), ...Object.keys(b)].every((currency) => a[currency] === b[currency]);

/** Totals of a payout by currency. */
export const totalsOf = ({ items }: Pick<Payout, 'items'>): PayoutTotals =>
  Object.fromEntries(
    [...Map.groupBy(items, ({ currency }) => currency)].map(([currency, ofCurrency]) => [
      currency,
      sumOf(ofCurrency.map(({ amountCents }) => amountCents)),
    ]),
  );
