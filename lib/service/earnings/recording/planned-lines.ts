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
 * Limits of one payout, which keep the time of its recording and the reads of its pages in bounds. The rest waits for
 * the next payout.
 */
const most = { commissions: 200_000, lines: 20_000 };

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

/** What one partner is due in one currency. */
export interface Due<Part extends UnsettledCommission = UnsettledCommission> extends PayoutItem {
  /** What the open payout already holds of it, which `amountCents` and `commissions` do not include. */
  readonly heldCents: number;
  /** The commissions, the largest amounts first and negative ones last, so that a begun line is above 0. */
  readonly parts: readonly Part[];
}

/** Whether a commission belongs to a payout through this day. */
export const isWithin = (commission: UnsettledCommission, { through }: Pick<PayoutChoice, 'through'>): boolean =>
  through === undefined || isAdjustment(commission) || commission.saleDay <= through;

export const inClaimOrder = <Part extends UnsettledCommission>(parts: readonly Part[]): Part[] =>
  parts.toSorted((a, b) => b.openCents - a.openCents || a.id - b.id);

/** The line that an open payout has begun last. */
type Begun = Pick<PayoutItem, 'partnerId' | 'currency' | 'amountCents'>;

/**
 * What partners are due, by partner and currency in order: sums above 0 alone, with what an open payout already holds.
 * @param commissions with their current status
 * @param begun the last line of an open payout: the lines before it are complete
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
 * The first commissions whose sum is a safe integer. Amounts sold before there was an upper limit may need a second
 * payout.
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
  /** Partners whose payouts are held. */
  readonly held: ReadonlySet<number>;
  /** Methods of the partners who have payout details; only needed if the choice looks at them. */
  readonly methods?: ReadonlyMap<number, ShownPayoutDetails['method']>;
}

/** Returns why a payout leaves out an amount that is due; undefined if it pays it. The first reason that fits. */
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
 * Cuts the lines to the limits of one payout. A line is taken whole or left to the next payout, unless it is too large
 * for any payout or this payout has already begun it.
 * @param recorded what the payout already contains
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

/** The commissions of a line that is planned. */
export const claimsOfDue = ({ partnerId, currency, amountCents, parts }: Due): PayoutClaims => ({
  partnerId,
  currency,
  amountCents,
  commissionIds: parts.map(({ id }) => id).toSorted((a, b) => a - b),
});

/** The number of flagged commissions of a line. Adjustments of commissions that were paid before are not counted. */
export const flaggedIn = ({ parts }: Due): number => parts.filter((one) => one.isFlagged && !isAdjustment(one)).length;
