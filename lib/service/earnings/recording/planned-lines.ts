import type { Currency } from '#lib/service/ground/values/currency.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { ShownPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import {
  isAdjustment,
  isDue,
  type UnsettledCommission,
} from '#lib/service/earnings/commissions/unsettled-commission.ts';
import { groupOf, type PayoutClaims, type PayoutItem } from '#lib/service/earnings/payouts/payout.ts';
import { choosesPartner, needsDetails, type PayoutChoice } from '#lib/service/earnings/recording/payout-choice.ts';

/**
 * Size limits of one payout. They limit how long recording it takes, and how much its pages must read. What exceeds
 * them waits for the next payout.
 */
const most = { commissions: 200_000, lines: 20_000 };

/** The minimum amount of a payout line. Smaller due amounts are not paid. */
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
 * What a payout pays of the amount that a partner is due in one currency: all of it, or nothing if it is below the
 * minimum. An unpaid amount waits for the next payout.
 */
export const paidOfDue = (dueCents: number, currency: Currency, minimum: PayoutMinimum): number =>
  dueCents > 0 && (currency !== minimum.currency || dueCents >= minimum.cents) ? dueCents : 0;

/** What one partner is due in one currency, as a payout will record it. */
export interface Due<Part extends UnsettledCommission = UnsettledCommission> extends PayoutItem {
  /** What the open payout has already recorded of this line. `amountCents` and `commissions` do not include it. */
  readonly heldCents: number;
  /**
   * The commissions, the largest amounts first and negative ones last, so that the sum of a line is above 0 from its
   * first step on.
   */
  readonly parts: readonly Part[];
}

/** Whether a payout that pays up to its day `through` includes the commission. */
export const isWithin = (commission: UnsettledCommission, { through }: Pick<PayoutChoice, 'through'>): boolean =>
  through === undefined || isAdjustment(commission) || commission.saleDay <= through;

export const inClaimOrder = <Part extends UnsettledCommission>(parts: readonly Part[]): Part[] =>
  parts.toSorted((a, b) => b.openCents - a.openCents || a.id - b.id);

/** The line that an open payout has recorded last. */
type Begun = Pick<PayoutItem, 'partnerId' | 'currency' | 'amountCents'>;

/**
 * What partners are due, sorted by partner and currency. Lines with a sum of 0 or less are left out. For the line that
 * an open payout has recorded last, what is already recorded counts as well.
 * @param commissions with their current status
 * @param begun the line that the open payout has recorded last; the lines before it are complete
 */
export function duesOf<Part extends UnsettledCommission>(
  commissions: readonly Part[],
  choice: Pick<PayoutChoice, 'through'>,
  begun?: Begun,
): Due<Part>[] {
  const first = begun ? groupOf(begun) : '';
  const groups = Map.groupBy(
    commissions.filter((commission) => isDue(commission) && isWithin(commission, choice)),
    groupOf,
  );
  return [...groups]
    .filter(([name]) => name >= first)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, group]): Due<Part> => {
      const heldCents = begun && name === first ? begun.amountCents : 0;
      const parts = safeParts(inClaimOrder(group), heldCents);
      const { partnerId, currency } = group[0]!;
      const amountCents = sumOf(parts.map(({ openCents }) => openCents));
      return { partnerId, currency, amountCents, commissions: parts.length, heldCents, parts };
    })
    .filter(({ amountCents, heldCents }) => amountCents + heldCents > 0);
}

/**
 * Returns as many of the first commissions as add up to a safe integer. Amounts may be very large if they were recorded
 * before sales had a maximum amount. The rest then waits for a second payout.
 */
function safeParts<Part extends UnsettledCommission>(parts: Part[], heldCents: number): Part[] {
  let total = heldCents;
  const tooMuch = parts.findIndex(({ openCents }) => !Number.isSafeInteger((total += openCents)));
  return tooMuch === -1 ? parts : parts.slice(0, tooMuch);
}

export const leftOutReasons = ['held', 'no_details', 'below_minimum', 'not_chosen'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

export interface Conditions {
  readonly choice: PayoutChoice;
  readonly minimum: PayoutMinimum;
  /** Partners whose payouts are on hold. */
  readonly held: ReadonlySet<number>;
  /** Payout methods of the partners who have payout details. Only needed if the choice requires details or a method. */
  readonly methods?: ReadonlyMap<number, ShownPayoutDetails['method']>;
}

/**
 * Returns a function that says why a payout leaves out a due amount, or undefined if the payout pays it. If several
 * reasons apply, it returns the one that is first in `leftOutReasons`.
 */
export function leavesOut({ choice, minimum, held, methods = new Map() }: Conditions) {
  const isChosen = choosesPartner(choice);
  return ({ partnerId, currency, amountCents, heldCents }: Omit<Due, 'parts'>): LeftOutReason | undefined => {
    if (held.has(partnerId)) return 'held';
    const method = methods.get(partnerId);
    if (needsDetails(choice) && method === undefined) return 'no_details';
    if (paidOfDue(amountCents + heldCents, currency, minimum) === 0) return 'below_minimum';
    const isCurrency = choice.currency === undefined || currency === choice.currency;
    const isMethod = choice.method === undefined || method === choice.method;
    return isChosen(partnerId) && isCurrency && isMethod ? undefined : 'not_chosen';
  };
}

/**
 * Limits the lines to the size of one payout. A line is recorded completely or left to the next payout. It is divided
 * only if it is too large for any payout, or if this payout has already recorded a part of it.
 * @param recorded the size of what the payout already contains
 */
export function fitting<Part extends UnsettledCommission>(
  lines: readonly Due<Part>[],
  recorded: { readonly commissions: number; readonly lines: number },
): Due<Part>[] {
  let room = most.commissions - recorded.commissions;
  let newLines = most.lines - recorded.lines;
  const taken: Due<Part>[] = [];
  for (const line of lines) {
    const isBegun = line.heldCents > 0;
    const mayBeCut = isBegun || line.parts.length > most.commissions;
    if (room === 0 || (!isBegun && newLines === 0) || (line.parts.length > room && !mayBeCut)) continue;
    const parts = line.parts.slice(0, room);
    const amountCents = sumOf(parts.map(({ openCents }) => openCents));
    taken.push(parts.length === line.parts.length ? line : { ...line, parts, amountCents, commissions: parts.length });
    room -= parts.length;
    if (!isBegun) newLines -= 1;
  }
  return taken;
}

/** The commissions of a planned line. */
export const claimsOfDue = ({ partnerId, currency, amountCents, parts }: Due): PayoutClaims => ({
  partnerId,
  currency,
  amountCents,
  commissionIds: parts.map(({ id }) => id).toSorted((a, b) => a - b),
});

/** The number of flagged commissions of a line. Adjustments of commissions that were paid before are not counted. */
export const flaggedIn = ({ parts }: Due): number => parts.filter((one) => one.isFlagged && !isAdjustment(one)).length;
