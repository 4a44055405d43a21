import type { Commission } from '#lib/domain/commission.ts';
import type { Lead } from '#lib/domain/lead.ts';
import { isTestLink } from '#lib/domain/referral-link.ts';
import type { Sale } from '#lib/domain/sale.ts';

/** A row of numbers: those of a program by time, by partner and by link, and its pending commissions by their hold. */
export interface Counter {
  readonly programId: number;
  readonly of: 'day' | 'hour' | 'partner' | 'link' | 'pending' | 'pendingDay' | 'pendingHour';
  /** Such as `2026-11-20`, `2026-11-20T15`, a partner's id, a short link; `all` for the one row of `pending`. */
  readonly name: string;
}

/** Numbers by their field. A number that is absent is 0. */
export type Counts = Readonly<Record<string, number>>;

/** Numbers to add to a counter, or its present numbers. */
export interface CounterIncrement {
  readonly counter: Counter;
  readonly counts: Counts;
}

interface Credited {
  readonly programId: number;
  /** Absent: without partner, it counts for the program (and its link) only. */
  readonly partnerId?: number;
  readonly shortLink?: string;
  readonly isTest?: boolean;
  readonly createdAt: string;
}

/** One step of a refund, as far as it is counted. */
interface CountedRefund extends Omit<Credited, 'shortLink'> {
  readonly amountCents: number;
  readonly currency: string;
  readonly deductionCents: number;
  /** Of the deduction; absent where the sale has no commission. */
  readonly commissionCurrency?: string;
  readonly feeReductionCents?: number;
}

/** An event or a commission at one moment. Its share of the counters depends on nothing else. */
export type Countable =
  | { readonly kind: 'click'; readonly item: Credited & { readonly shortLink: string } }
  | { readonly kind: 'lead'; readonly item: Credited & Pick<Lead, 'state'> }
  | { readonly kind: 'sale'; readonly item: Omit<Sale, 'id'> }
  | { readonly kind: 'commission'; readonly item: Commission & { readonly paidOutCents?: number } }
  | { readonly kind: 'refund'; readonly item: CountedRefund };

/** What a change of one item adds to the counters: what it counts for now, less what it counted for before. */
export const incrementsOf = (before: Countable | undefined, after: Countable | undefined): CounterIncrement[] =>
  mergeIncrements([...(after ? countsOf(after) : []), ...(before ? countsOf(before).map(negative) : [])]);

/** One increment per counter, without zeros. */
export function mergeIncrements(increments: Iterable<CounterIncrement>): CounterIncrement[] {
  const sum = incrementSum();
  sum.add(increments);
  return sum.increments();
}

/** Sums any number of increments by counter. */
export function incrementSum() {
  const sums = new Map<string, { counter: Counter; counts: Record<string, number> }>();
  return {
    add(increments: Iterable<CounterIncrement>): void {
      for (const { counter, counts } of increments) {
        const id = counterId(counter);
        const sum = sums.get(id) ?? { counter, counts: {} };
        sums.set(id, sum);
        for (const [field, by] of Object.entries(counts)) sum.counts[field] = (sum.counts[field] ?? 0) + by;
      }
    },
    /** Without zeros. */
    increments: (): CounterIncrement[] =>
      [...sums.values()]
        .map(({ counter, counts }) => ({ counter, counts: withoutZeros(counts) }))
        .filter(({ counts }) => Object.keys(counts).length > 0),
  };
}

/** Unique per counter. */
export const counterId = ({ programId, of, name }: Counter): string => `${programId} ${of} ${name}`;

export const withoutZeros = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));

const negative = ({ counter, counts }: CounterIncrement): CounterIncrement => ({
  counter,
  counts: Object.fromEntries(Object.entries(counts).map(([field, count]) => [field, -count])),
});

/** The latest click of each link among these, and among those known `before`. */
export function latestClicks(events: Iterable<Countable>, before?: ReadonlyMap<string, string>): Map<string, string> {
  const latest = new Map(before);
  for (const event of events) {
    if (event.kind !== 'click' || !isCounted(event)) continue;
    const { shortLink, createdAt } = event.item;
    if (createdAt > (latest.get(shortLink) ?? '')) latest.set(shortLink, createdAt);
  }
  return latest;
}

/** Test events and everything that came through the verification chain's link are not counted. */
const isCounted = ({ item }: Countable): boolean =>
  !('isTest' in item && item.isTest) &&
  !('shortLink' in item && isTestLink(item.shortLink ?? '')) &&
  !('attribution' in item && isTestLink(item.attribution?.shortLink ?? ''));

const countsOf = (event: Countable): CounterIncrement[] =>
  isCounted(event) ? (countsByKind[event.kind] as (item: Countable['item']) => CounterIncrement[])(event.item) : [];

type ItemOf<Kind extends Countable['kind']> = Extract<Countable, { kind: Kind }>['item'];

const countsByKind: { readonly [Kind in Countable['kind']]: (item: ItemOf<Kind>) => CounterIncrement[] } = {
  click: (item) => occurrence('clicks', item),
  // A provisional lead is in no metric. Once settled, it counts at its time in the event list.
  lead: (item) => (item.state === 'settled' ? occurrence('leads', item) : []),
  // Reports go by the payment time, "the last 24 hours" by when the event came in.
  sale: (item) =>
    occurrence('sales', { ...item, ...item.attribution }, item.occurredAt, {
      [`revenue${item.currency}`]: item.amountCents,
    }),
  commission: (item) => [...earnings(item), ...(item.status === 'pending' ? pendingUntil(item) : [])],
  refund: deductions,
};

function occurrence(
  what: 'clicks' | 'leads' | 'sales',
  { programId, partnerId, shortLink, createdAt }: Credited,
  reportedAt = createdAt,
  amounts: Counts = {},
): CounterIncrement[] {
  return [
    { counter: { programId, of: 'day', name: dayOf(reportedAt) }, counts: { [what]: 1, ...amounts } },
    { counter: { programId, of: 'hour', name: hourOf(createdAt) }, counts: { [minuteField(what, createdAt)]: 1 } },
    ...partnerIncrements(programId, partnerId, { [what]: 1, ...amounts }),
    ...(shortLink === undefined
      ? []
      : [{ counter: { programId, of: 'link', name: shortLink } as const, counts: { [what]: 1 } }]),
  ];
}

/** Commission and platform fee count gross on the day of the payment; a refund deducts on the day of the refund. */
function earnings(item: ItemOf<'commission'>): CounterIncrement[] {
  const { programId, partnerId, occurredAt, amountCents, currency, platformFee, paidOutCents = 0 } = item;
  const commission = { [`commission${currency}`]: amountCents };
  return [
    {
      counter: { programId, of: 'day', name: dayOf(occurredAt) },
      counts: { ...commission, [`platformFee${platformFee.currency}`]: platformFee.amountCents },
    },
    ...partnerIncrements(programId, partnerId, { ...commission, [`paidOut${currency}`]: paidOutCents }),
  ];
}

const pendingUntil = ({ programId, holdUntil }: Commission): CounterIncrement[] => [
  { counter: { programId, of: 'pending', name: 'all' }, counts: { pending: 1 } },
  { counter: { programId, of: 'pendingDay', name: dayOf(holdUntil) }, counts: { pending: 1 } },
  {
    counter: { programId, of: 'pendingHour', name: hourOf(holdUntil) },
    counts: { [minuteField('pending', holdUntil)]: 1 },
  },
];

function deductions(step: CountedRefund): CounterIncrement[] {
  const { programId, partnerId, createdAt, amountCents, currency, commissionCurrency, feeReductionCents = 0 } = step;
  const deducted = commissionCurrency ? { [`commission${commissionCurrency}`]: -step.deductionCents } : {};
  return [
    {
      counter: { programId, of: 'day', name: dayOf(createdAt) },
      counts: { [`refunded${currency}`]: amountCents, ...deducted, [`platformFee${currency}`]: -feeReductionCents },
    },
    ...partnerIncrements(programId, partnerId, deducted),
  ];
}

const partnerIncrements = (programId: number, partnerId: number | undefined, counts: Counts): CounterIncrement[] =>
  partnerId === undefined ? [] : [{ counter: { programId, of: 'partner', name: String(partnerId) }, counts }];

// Times are ISO 8601 in UTC, so their beginnings are the names of days, hours and minutes, and sort by time.
export const dayOf = (at: string): string => at.slice(0, 10);
export const hourOf = (at: string): string => at.slice(0, 13);
export const minuteOf = (at: string): string => at.slice(0, 16);

/** Such as `c07` for the clicks of an hour's eighth minute. */
const minuteField = (what: string, at: string): string => what[0]! + at.slice(14, 16);
