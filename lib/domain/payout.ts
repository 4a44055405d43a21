import type { Commission } from '#lib/domain/commission.ts';
import { dueCents, isPayable } from '#lib/domain/commission-lifecycle.ts';
import { type Day, dayOf } from '#lib/domain/day.ts';
import { sumOf } from '#lib/domain/money.ts';

/** Which commissions a payout takes. */
export interface PayoutRequest {
  /** Absent = all partners. */
  readonly partnerId?: number;
  /** Last payment day; adjustments of commissions that were paid before are taken whatever their day. */
  readonly through?: Day;
}

/** What one partner gets in one currency. */
export interface PayoutItem {
  readonly partnerId: number;
  readonly currency: string;
  readonly amountCents: number;
  /** In order. */
  readonly commissionIds: readonly number[];
}

/** A batch of payments to partners. The money is sent outside the service. */
export interface Payout extends PayoutRequest {
  readonly id: number;
  readonly programId: number;
  /** By partner and currency. */
  readonly items: readonly PayoutItem[];
  readonly createdAt: string;
}

const groupOf = ({ partnerId, currency }: Pick<PayoutItem, 'partnerId' | 'currency'>): string =>
  `${String(partnerId).padStart(16, '0')} ${currency}`;

/**
 * The commissions that a payout is still to take (contract 13): those of each partner and currency whose dues sum to
 * more than 0, together with what the payout holds of them already. The others are carried over as they are.
 *
 * In each group the largest dues come first and negative ones last. So a payout that was interrupted anywhere holds a
 * positive amount of every group it has begun.
 * @param commissions as they read
 */
export function claimsOf(commissions: readonly Commission[], payout: Payout): Commission[] {
  const wanted = commissions.filter((commission) => isPayable(commission) && isWithin(commission, payout));
  const groups = Object.groupBy(wanted, groupOf);
  return Object.keys(groups)
    .toSorted()
    .map((name) => groups[name]!.toSorted((a, b) => dueCents(b) - dueCents(a) || a.id - b.id))
    .filter((group) => sumOf([heldCents(payout, group[0]!), ...group.map(dueCents)]) > 0)
    .flatMap((group) => atOnce(group, heldCents(payout, group[0]!)));
}

/** As many of a group, in order, as add up exactly. What was sold before amounts had a bound may need another payout. */
function atOnce(group: readonly Commission[], held: number): readonly Commission[] {
  let total = held;
  const tooMuch = group.findIndex((commission) => !Number.isSafeInteger((total += dueCents(commission))));
  return tooMuch === -1 ? group : group.slice(0, tooMuch);
}

const isWithin = ({ partnerId, paidAt, occurredAt }: Commission, request: PayoutRequest): boolean =>
  (request.partnerId === undefined || partnerId === request.partnerId) &&
  (request.through === undefined || paidAt !== undefined || dayOf(new Date(occurredAt)) <= request.through);

const heldCents = ({ items }: Payout, group: Commission): number =>
  items.find((item) => groupOf(item) === groupOf(group))?.amountCents ?? 0;

/** The payout with more commissions in it. @param claims as they read */
export function withClaims(payout: Payout, claims: readonly Commission[]): Payout {
  const items = new Map(payout.items.map((item) => [groupOf(item), item]));
  for (const claim of claims) {
    const { partnerId, currency } = claim;
    const { amountCents, commissionIds } = items.get(groupOf(claim)) ?? { amountCents: 0, commissionIds: [] };
    items.set(groupOf(claim), {
      partnerId,
      currency,
      amountCents: amountCents + dueCents(claim),
      commissionIds: [...commissionIds, claim.id].toSorted((a, b) => a - b),
    });
  }
  const inOrder = [...items].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...payout, items: inOrder.map(([, item]) => item) };
}

/** What a payout amounts to in each currency. */
export const totalsOf = ({ items }: Pick<Payout, 'items'>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(items, ({ currency }) => currency)).map(([currency, ofCurrency = []]) => [
      currency,
      sumOf(ofCurrency.map(({ amountCents }) => amountCents)),
    ]),
  );
