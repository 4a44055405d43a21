import type { Actor, Commission } from '#lib/domain/commission.ts';
import { dueCents, isPayable } from '#lib/domain/commission-lifecycle.ts';
import { type Day, dayOf } from '#lib/domain/day.ts';
import { type Currency, sumOf } from '#lib/domain/money.ts';

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
  readonly createdBy?: Actor;
  /** What the owner calls the payment, such as the bank's transaction number. */
  readonly reference?: string;
}

/**
 * The most that one payout holds: its replies stay far below 6 MB and its item far below 400 KB. What does not fit waits
 * for the next payout.
 */
const most = { commissions: 20_000, items: 2_000 };

type Group = Pick<PayoutItem, 'partnerId' | 'currency'>;

const groupOf = ({ partnerId, currency }: Group): string => `${String(partnerId).padStart(16, '0')} ${currency}`;

/**
 * The commissions that a payout is still to take: those of each partner and currency whose dues sum to more than 0,
 * together with what the payout holds of them already. The others are carried over.
 *
 * In each group the largest dues come first and negative ones last. So a payout that was interrupted anywhere holds a
 * positive amount of every group it has begun.
 * @param commissions as they read
 */
export function claimsOf(commissions: readonly Commission[], payout: Payout): Commission[] {
  const wanted = commissions.filter((commission) => isPayable(commission) && isWithin(commission, payout));
  const groups = Object.groupBy(wanted, groupOf);
  const due = Object.keys(groups)
    .toSorted()
    .map((name) => groups[name]!.toSorted((a, b) => dueCents(b) - dueCents(a) || a.id - b.id))
    .filter((group) => sumOf([heldCents(payout, group[0]!), ...group.map(dueCents)]) > 0)
    .map((group) => atOnce(group, heldCents(payout, group[0]!)));
  return fitting(due, payout);
}

/**
 * As much as one payout may hold. A group is taken whole or left to the next payout; only one that is too large for any
 * payout, or that this payout has begun, is taken in parts.
 */
function fitting(groups: readonly (readonly Commission[])[], payout: Payout): Commission[] {
  let room = most.commissions - sumOf(payout.items.map(({ commissions }) => commissions));
  let newItems = most.items - payout.items.length;
  const taken: Commission[] = [];
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

const heldCents = (payout: Payout, group: Commission): number => itemOf(payout, group)?.amountCents ?? 0;

/** As many of a group, in order, as add up exactly. What was sold before amounts had a bound may need another payout. */
function atOnce(group: readonly Commission[], held: number): readonly Commission[] {
  let total = held;
  const tooMuch = group.findIndex((commission) => !Number.isSafeInteger((total += dueCents(commission))));
  return tooMuch === -1 ? group : group.slice(0, tooMuch);
}

const isWithin = ({ partnerId, paidAt, occurredAt }: Commission, request: PayoutRequest): boolean =>
  (request.partnerId === undefined || partnerId === request.partnerId) &&
  (request.through === undefined || paidAt !== undefined || dayOf(new Date(occurredAt)) <= request.through);

const itemOf = ({ items }: Payout, group: Group): PayoutItem | undefined =>
  items.find((item) => item.partnerId === group.partnerId && item.currency === group.currency);

/** Commissions by partner and currency, in order. @param claims as they read */
export const claimsByItem = (claims: readonly Commission[]): PayoutClaims[] =>
  joinedClaims(
    claims.map((claim) => ({
      partnerId: claim.partnerId,
      currency: claim.currency,
      amountCents: dueCents(claim),
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

/** Totals of a payout by currency. */
export const totalsOf = ({ items }: Pick<Payout, 'items'>): Partial<Record<Currency, number>> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(items, ({ currency }) => currency)).map(([currency, ofCurrency]) => [
      currency,
      sumOf(ofCurrency.map(({ amountCents }) => amountCents)),
    ]),
  );
