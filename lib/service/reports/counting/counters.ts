import {
  type CounterIncrement,
  type Counts,
  dayOf,
  type FirstClicksChange,
  minuteOf,
} from '#lib/service/ground/counters/counter.ts';
import { monthOf } from '#lib/service/ground/values/day.ts';
import { isAutomatic, type QualityOfClick } from '#lib/service/traffic/clicks/click-quality.ts';
import { codeName } from '#lib/service/programs/links/code.ts';
import { type Commission, isInReview, type LateDeduction } from '#lib/service/earnings/commissions/commission.ts';
import { payableCents } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import { isTestLink } from '#lib/service/programs/links/referral-link.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { mergeIncrements } from '#lib/service/reports/counting/increment-sum.ts';

interface Credited {
  readonly programId: number;
  /** The partner credited with the event. Undefined if only the counters of program and link include the event. */
  readonly partnerId?: number;
  readonly shortLink?: string;
  /** The customer's click id. */
  readonly clickId?: string;
  readonly isTest?: boolean;
  readonly createdAt: string;
}

/** A step of a refund, with the fields that counters need. */
interface CountedRefund extends Credited {
  readonly amountCents: number;
  readonly currency: string;
  readonly deductionCents: number;
  /** Currency of the deduction; undefined if the sale has no commission. */
  readonly commissionCurrency?: string;
  readonly feeReductionCents?: number;
  /** Set if a rule held the commission at the time of the refund. Then the deduction is not counted. */
  readonly whileHeld?: true;
}

interface CountedClick extends Credited, QualityOfClick {
  readonly shortLink: string;
  /** When the customer's first click was. Set if this click created the customer. */
  readonly firstClickAt?: string;
  readonly isOfSeenNetwork?: boolean;
}

/** An event or commission as it was at one moment. What counters count of it depends on nothing else. */
export type Countable =
  | { readonly kind: 'click'; readonly item: CountedClick }
  | { readonly kind: 'lead'; readonly item: Credited & Pick<Lead, 'state'> }
  | { readonly kind: 'sale'; readonly item: Omit<Sale, 'id'> }
  | { readonly kind: 'commission'; readonly item: Commission }
  | { readonly kind: 'refund'; readonly item: CountedRefund };

/** What a change of one item adds to the counters: what counts after the change, minus what counted before. */
export const incrementsOf = (before: Countable | undefined, after: Countable | undefined): CounterIncrement[] =>
  mergeIncrements([...(after ? countsOf(after) : []), ...(before ? countsOf(before).map(negative) : [])]);

const negative = ({ counter, counts }: CounterIncrement): CounterIncrement => ({
  counter,
  counts: Object.fromEntries(Object.entries(counts).map(([field, count]) => [field, -count])),
});

/** A click as the latest one of its link. */
export interface LatestClick {
  readonly shortLink: string;
  readonly at: string;
}

export const clickOf = (event: Countable | undefined): LatestClick | undefined =>
  event?.kind === 'click' && isCounted(event) && !isAutomatic(event.item)
    ? { shortLink: event.item.shortLink, at: event.item.createdAt }
    : undefined;

export function firstClicksOf(
  before: Countable | undefined,
  after: Countable | undefined,
): FirstClicksChange | undefined {
  const by = Number(isFirstClick(after)) - Number(isFirstClick(before));
  const event = after ?? before;
  if (by === 0 || event?.kind !== 'click') return undefined;
  const { programId, shortLink, createdAt } = event.item;
  return { programId, shortLink, minute: minuteOf(createdAt), by };
}

/**
 * Whether a click created a customer and was the first one from its network in its minute. Further clicks from the same
 * network are not included, so that a single machine cannot produce a burst.
 */
const isFirstClick = (event: Countable | undefined): boolean =>
  clickOf(event) !== undefined &&
  event?.kind === 'click' &&
  event.item.firstClickAt !== undefined &&
  !event.item.isOfSeenNetwork;

/** Test events are not counted, and neither are events of the link with which a program's integration is verified. */
const isCounted = ({ item }: Countable): boolean =>
  !('isTest' in item && item.isTest) &&
  !('shortLink' in item && isTestLink(item.shortLink ?? '')) &&
  !('attribution' in item && isTestLink(item.attribution?.shortLink ?? ''));

const countsOf = (event: Countable): CounterIncrement[] =>
  isCounted(event) ? (countsByKind[event.kind] as (item: Countable['item']) => CounterIncrement[])(event.item) : [];

type ItemOf<Kind extends Countable['kind']> = Extract<Countable, { kind: Kind }>['item'];

const countsByKind: { readonly [Kind in Countable['kind']]: (item: ItemOf<Kind>) => CounterIncrement[] } = {
  click: (item) => {
    if (isAutomatic(item)) return incrementsFor(item, onDay(item.createdAt, { botClicks: 1 }));
    return occurrence('clicks', item, item.createdAt, item.quality === 'repeat' ? { repeatClicks: 1 } : {});
  },
  // A provisional lead is not counted. A confirmed one is counted at the time at which the signup was recorded.
  lead: (item) => (item.state === 'settled' ? occurrence('leads', item) : []),
  // In reports a sale belongs to the day of payment; for "the last 24 hours" it belongs to the time of its arrival.
  sale: (item) => {
    const amounts = { [`revenue${item.currency}`]: item.amountCents };
    return [
      ...occurrence('sales', { ...item, ...item.attribution }, item.occurredAt, amounts),
      ...incrementsForCustomer(item.attribution?.clickId, amounts),
      ...redemption(item),
      ...incrementsForTiers(item),
    ];
  },
  commission: earnings,
  refund: deductions,
};

function occurrence(
  what: 'clicks' | 'leads' | 'sales',
  credited: Credited,
  reportedAt = credited.createdAt,
  amounts: Counts = {},
): CounterIncrement[] {
  return incrementsFor(credited, onDay(reportedAt, { [what]: 1, ...amounts }), {
    [atMinute(what, credited.createdAt)]: 1,
  });
}

/**
 * A commission and its platform fee are counted on the day on which they were earned. A refund is deducted on the day
 * of the refund. A commission that a rule held is counted when it is released, without what refunds had deducted by
 * then. If a rejected commission is reopened, the refunds recorded since are deducted on the day of the reopening. The
 * unpaid rest of a rejected commission is counted on the day on which it was earned.
 */
function earnings(item: ItemOf<'commission'>): CounterIncrement[] {
  if (isInReview(item)) return [];
  const { occurredAt, currency, platformFee, paidOutCents = 0, status, holdUntil } = item;
  const commission = { [`commission${currency}`]: item.amountCents - (item.heldDeductedCents ?? 0) };
  const fee = platformFee && {
    [`platformFee${platformFee.currency}`]: platformFee.amountCents - (platformFee.heldReducedCents ?? 0),
  };
  const rejected = status === 'rejected' ? { [`rejected${currency}`]: payableCents(item) } : {};
  // The end of the hold period does not approve a commission that a person has reopened.
  const pendingUntil = item.byHand ? NEVER : holdUntil;
  return [
    ...incrementsFor(
      item,
      onDay(occurredAt, { ...commission, ...rejected, ...fee }),
      status === 'pending' ? { ...onDay(pendingUntil, { pending: 1 }), [atMinute('pending', pendingUntil)]: 1 } : {},
    ),
    {
      counter: { of: 'partner', programId: item.programId, partnerId: item.partnerId },
      counts: { [`paidOut${currency}`]: paidOutCents },
    },
    ...incrementsForCustomer(item.clickId, commission),
    ...Object.entries(item.lateDeductions ?? {}).flatMap(([day, deduction]) => lateDeductions(item, day, deduction)),
  ];
}

const NEVER = '9999-12-31T00:00:00.000Z';

function lateDeductions(
  { currency, platformFee, ...item }: ItemOf<'commission'>,
  day: string,
  { deductionCents, feeReductionCents }: LateDeduction,
): CounterIncrement[] {
  const commission = { [`commission${currency}`]: -deductionCents };
  const fee = platformFee && { [`platformFee${platformFee.currency}`]: -feeReductionCents };
  const increments = incrementsFor(item, onDay(day, { ...commission, ...fee }));
  return [...increments, ...incrementsForCustomer(item.clickId, commission)];
}

function deductions(step: CountedRefund): CounterIncrement[] {
  const { createdAt, amountCents, currency, commissionCurrency, whileHeld } = step;
  const { deductionCents, feeReductionCents = 0 } = whileHeld ? { deductionCents: 0 } : step;
  const amounts = {
    [`refunded${currency}`]: amountCents,
    ...(commissionCurrency && { [`commission${commissionCurrency}`]: -deductionCents }),
  };
  return [
    ...incrementsFor(step, onDay(createdAt, { ...amounts, [`platformFee${currency}`]: -feeReductionCents })),
    ...incrementsForCustomer(step.clickId, amounts),
  ];
}

/**
 * What is added to the counters of program, partner and link alike.
 * @param ofProgram what is added to the program's counter only
 */
function incrementsFor(
  { programId, partnerId, shortLink }: Omit<Credited, 'createdAt'>,
  counts: Counts,
  ofProgram: Counts = {},
): CounterIncrement[] {
  return [
    { counter: { of: 'program', programId }, counts: { ...counts, ...ofProgram } },
    ...(partnerId === undefined ? [] : [{ counter: { of: 'partner', programId, partnerId } as const, counts }]),
    ...(shortLink === undefined ? [] : [{ counter: { of: 'link', shortLink } as const, counts }]),
  ];
}

/** What is added to a customer's counter: only totals, no counts of days, so that the item stays small. */
const incrementsForCustomer = (clickId: string | undefined, counts: Counts): CounterIncrement[] =>
  clickId === undefined ? [] : [{ counter: { of: 'customer', clickId }, counts }];

/** What is added to a code's counter: the all-time number of payments with the code, and of sales attributed by it. */
const redemption = ({ programId, code, attribution }: ItemOf<'sale'>): CounterIncrement[] =>
  code === undefined
    ? []
    : [
        {
          counter: { of: 'code', programId, code: codeName(code) },
          counts: { redemptions: 1, sales: attribution?.resolvedBy === 'code' ? 1 : 0 },
        },
      ];
/**
 * Tiers count a partner's sales differently from `sales`: a sale belongs to the month in which it was recorded, not
 * paid, and a full refund subtracts one in the month of the refund. This adds the difference to the partner's counter.
 */
function incrementsForTiers({ programId, attribution, ...sale }: ItemOf<'sale'>): CounterIncrement[] {
  const { partnerId } = attribution ?? {};
  if (partnerId === undefined) return [];
  const { fullyRefundedAt, formerFullRefunds = [] } = sale;
  const fullRefunds = fullyRefundedAt === undefined ? formerFullRefunds : [...formerFullRefunds, fullyRefundedAt];
  const isOfOtherMonth = monthOf(sale.createdAt) !== monthOf(sale.occurredAt);
  const shifts: Counts[] = [
    ...(isOfOtherMonth ? [onDay(sale.createdAt, { tierSales: 1 }), onDay(sale.occurredAt, { tierSales: -1 })] : []),
    ...fullRefunds.map((refundedAt) => onDay(refundedAt, { tierSales: -1 })),
  ];
  return shifts.map((counts) => ({ counter: { of: 'partner', programId, partnerId }, counts }));
}

/** The same counts twice: as totals, and for a day. */
const onDay = (at: string, counts: Counts): Counts => ({
  ...counts,
  ...Object.fromEntries(Object.entries(counts).map(([what, count]) => [`${what}@${dayOf(at)}`, count])),
});

const atMinute = (what: string, at: string): string => `${what}@${minuteOf(at)}`;
