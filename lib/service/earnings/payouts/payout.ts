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

/** Selects the commissions of a payout. */
export interface PayoutRequest {
  /** The partner to whom the payout is limited; undefined = all partners. */
  readonly partnerId?: number;
  /**
   * The last payment day that the payout includes. Adjustments of commissions already paid are included regardless of
   * their day.
   */
  readonly through?: Day;
}

/** The amount for one partner in one currency. */
export interface PayoutItem {
  readonly partnerId: number;
  readonly currency: Currency;
  readonly amountCents: number;
  /** Number of commissions in the amount. */
  readonly commissions: number;
}

/** The commissions of a payout item, or those that one step has claimed. */
export interface PayoutClaims extends Omit<PayoutItem, 'commissions'> {
  /** Commission ids in ascending order. */
  readonly commissionIds: readonly number[];
}

/** A batch of payments to partners. The money is sent outside the service. */
export interface Payout extends PayoutRequest {
  readonly id: number;
  readonly programId: number;
  /** `open` until the last step. An open payout may still claim commissions. */
  readonly status: 'open' | 'made';
  /** Number of completed steps. */
  readonly steps: number;
  /** The amounts of the payout, sorted by partner and currency. */
  readonly items: readonly PayoutItem[];
  readonly createdAt: string;
  readonly createdBy: Actor;
  /** The owner's reference of the payment, such as the bank's transaction number. */
  readonly reference?: string;
}

/**
 * Limits of one payout, which keep its replies far below 6 MB and its item far below 400 KB. Further commissions wait
 * for the next payout.
 */
const most = { commissions: 20_000, items: 2_000 };

type Group = Pick<PayoutItem, 'partnerId' | 'currency'>;

/** A key of partner and currency that sorts in the order of a payout's items. */
export const groupOf = ({ partnerId, currency }: Group): string => `${String(partnerId).padStart(16, '0')} ${currency}`;

/** Due amounts below this are not paid. */
export interface PayoutMinimum {
  readonly currency: Currency;
  readonly cents: number;
}

/** The minimum applies only to the program's currency, because other currencies cannot be compared with it. */
export const minimumOf = (program: Pick<Program, 'currency' | 'minimumPayoutCents'>): PayoutMinimum => ({
  currency: program.currency,
  cents: program.minimumPayoutCents ?? 0,
});

/**
 * The part of a partner's due amount in one currency that is paid: all of it, or nothing if it is below the minimum.
 * Unpaid amounts are carried over.
 */
export const paidOfDue = (dueCents: number, currency: Currency, minimum: PayoutMinimum): number =>
  dueCents > 0 && (currency !== minimum.currency || dueCents >= minimum.cents) ? dueCents : 0;

/**
 * Returns the commissions that a payout has yet to claim: those of each partner and currency whose due amount,
 * including the part that the payout already contains, is paid.
 *
 * Within a group the largest amounts come first and negative ones last, so an interrupted payout contains a positive
 * amount for every group it has started.
 * @param commissions with their current status
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

/** Due amounts of each partner in each currency, in order, including what the payout already contains. */
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

/** Due amounts that a payout carries over because they are below the minimum. */
export interface CarriedOver {
  readonly minimum: PayoutMinimum;
  readonly partners: number;
  readonly amountCents: number;
}

/**
 * The due amounts that a payout leaves to later payouts, because they are below the minimum.
 * @param commissions with their current status
 * @returns undefined if no due amount is below the minimum
 */
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
 * Cuts the groups to the limits of one payout. A group is taken whole or left to the next payout, unless it is too
 * large for any payout or this payout has already started it.
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

/** The amount that a payout already contains for a partner and currency. */
export const heldCents = (payout: Pick<Payout, 'items'>, group: Group): number =>
  itemOf(payout, group)?.amountCents ?? 0;

/**
 * The first commissions of a group whose sum is a safe integer. Amounts recorded before there was an upper limit may
 * need a second payout.
 */
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

/**
 * The commissions of the next step: as many as fit into its transaction together with their claims.
 * @param claims commissions with their current status
 */
export function stepOf(claims: readonly UnsettledCommission[], mostWrites: number): UnsettledCommission[] {
  const groups = new Set<string>();
  const tooMany = claims.findIndex((claim, index) => index + 1 + groups.add(groupOf(claim)).size > mostWrites);
  return claims.slice(0, tooMany === -1 ? undefined : tooMany);
}

/** Commissions by partner and currency, in order. @param claims commissions with their current status */
export const claimsByItem = (claims: readonly UnsettledCommission[]): PayoutClaims[] =>
  joinedClaims(
    claims.map((claim) => ({
      partnerId: claim.partnerId,
      currency: claim.currency,
      amountCents: claim.openCents,
      commissionIds: [claim.id],
    })),
  );

/** Merges the claims of several steps into one entry per partner and currency, in order. */
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

export type PayoutTotals = Readonly<Record<Currency, number>>;

export const areSameTotals = (a: PayoutTotals, b: PayoutTotals): boolean =>
  [...Object.keys(a), ...Object.keys(b)].every((currency) => a[currency] === b[currency]);

export const totalsOf = ({ items }: Pick<Payout, 'items'>): PayoutTotals =>
  Object.fromEntries(
    [...Map.groupBy(items, ({ currency }) => currency)].map(([currency, ofCurrency]) => [
      currency,
      sumOf(ofCurrency.map(({ amountCents }) => amountCents)),
    ]),
  );
