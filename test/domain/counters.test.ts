import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventCounts, lastDayCounts, pendingAfter } from '#lib/domain/counter-readings.ts';
import {
  type Countable,
  type Counts,
  mergeIncrements,
  type CounterIncrement,
  incrementsOf,
} from '#lib/domain/counters.ts';

const AT = '2026-11-20T15:07:59.999Z';
const credited = { programId: 1, partnerId: 5, shortLink: 'ana', createdAt: AT };
const commission = {
  ...credited,
  status: 'pending',
  amountCents: 5000,
  currency: 'USD',
  platformFee: { amountCents: 35, currency: 'EUR' },
  occurredAt: '2026-11-01T00:00:00.000Z',
  holdUntil: '2026-12-05T15:00:00.000Z',
};
const refund = { ...credited, amountCents: 500, currency: 'EUR', deductionCents: 100 };
const countable = (kind: Countable['kind'], item: object) => ({ kind, item }) as Countable;

/** Counts by `kind name`. */
const spelled = (increments: readonly CounterIncrement[]): Record<string, Counts> =>
  Object.fromEntries(increments.map(({ counter, counts }) => [`${counter.of} ${counter.name}`, counts]));
const counts = (kind: Countable['kind'], item: object) => spelled(incrementsOf(undefined, countable(kind, item)));

describe('what an item counts for', () => {
  it('click: the day, the minute, the partner, the link', () => {
    expect(counts('click', credited)).toEqual({
      'day 2026-11-20': { clicks: 1 },
      'hour 2026-11-20T15': { c07: 1 },
      'partner 5': { clicks: 1 },
      'link ana': { clicks: 1 },
    });
  });

  it('provisional lead: nothing', () => {
    expect(counts('lead', { ...credited, state: 'provisional' })).toEqual({});
  });

  it('sale: the day of its payment, the minute of its record', () => {
    const attribution = { partnerId: 5, shortLink: 'ana' };
    const sale = {
      programId: 1,
      createdAt: AT,
      occurredAt: '2026-11-01T00:00:00.000Z',
      amountCents: 7,
      currency: 'VND',
    };
    expect(counts('sale', { ...sale, attribution })).toEqual({
      'day 2026-11-01': { sales: 1, revenueVND: 7 },
      'hour 2026-11-20T15': { s07: 1 },
      'partner 5': { sales: 1, revenueVND: 7 },
      'link ana': { sales: 1 },
    });
  });

  it('commission: its own currency and that of the fee, and pending in the minute of its hold', () => {
    expect(counts('commission', commission)).toEqual({
      'day 2026-11-01': { commissionUSD: 5000, platformFeeEUR: 35 },
      'partner 5': { commissionUSD: 5000 },
      'pending all': { pending: 1 },
      'pendingDay 2026-12-05': { pending: 1 },
      'pendingHour 2026-12-05T15': { p00: 1 },
    });
  });

  it('refund: its own day, the deduction in the currency of the commission', () => {
    expect(counts('refund', { ...refund, commissionCurrency: 'USD', feeReductionCents: 18 })).toEqual({
      'day 2026-11-20': { refundedEUR: 500, commissionUSD: -100, platformFeeEUR: -18 },
      'partner 5': { commissionUSD: -100 },
    });
  });

  it('refund of a sale without commission: the refund alone', () => {
    expect(counts('refund', { ...refund, deductionCents: 0 })).toEqual({ 'day 2026-11-20': { refundedEUR: 500 } });
  });

  it('a sale without partner: the program only', () => {
    const sale = { programId: 1, createdAt: AT, occurredAt: AT, amountCents: 7, currency: 'USD', shortLink: undefined };
    expect(counts('sale', { ...sale, attribution: undefined })).toEqual({
      'day 2026-11-20': { sales: 1, revenueUSD: 7 },
      'hour 2026-11-20T15': { s07: 1 },
    });
  });

  it.each<[string, Countable['kind'], object]>([
    ['a test click', 'click', { ...credited, isTest: true }],
    ['a lead of the chain', 'lead', { ...credited, state: 'settled', shortLink: 'afftest1' }],
    ['a test sale', 'sale', { ...credited, isTest: true, amountCents: 7, currency: 'USD', occurredAt: AT }],
    ['a refund of a test sale', 'refund', { ...refund, isTest: true }],
  ])('%s: nothing', (_, kind, item) => {
    expect(counts(kind, item)).toEqual({});
  });
});

describe('a change', () => {
  it.each<[string, Countable['kind'], object, object, Record<string, Counts>]>([
    ['of a customer counts for nothing', 'click', credited, { ...credited, status: 'lead' }, {}],
    [
      'of a lead that settles counts where its row stands',
      'lead',
      { ...credited, state: 'provisional' },
      { ...credited, state: 'settled' },
      {
        'day 2026-11-20': { leads: 1 },
        'hour 2026-11-20T15': { l07: 1 },
        'partner 5': { leads: 1 },
        'link ana': { leads: 1 },
      },
    ],
    [
      'of a commission that is no longer pending takes it out of its hold',
      'commission',
      commission,
      { ...commission, status: 'rejected' },
      {
        'pending all': { pending: -1 },
        'pendingDay 2026-12-05': { pending: -1 },
        'pendingHour 2026-12-05T15': { p00: -1 },
      },
    ],
    [
      'of a commission that is paid out counts for the partner',
      'commission',
      { ...commission, status: 'approved' },
      { ...commission, status: 'paid', paidOutCents: 4000 },
      { 'partner 5': { paidOutUSD: 4000 } },
    ],
  ])('%s', (_, kind, before, after, expected) => {
    expect(spelled(incrementsOf(countable(kind, before), countable(kind, after)))).toEqual(expected);
  });

  it('that removes an item takes back what it counted for', () => {
    expect(
      mergeIncrements([
        ...incrementsOf(undefined, countable('commission', commission)),
        ...incrementsOf(countable('commission', commission), undefined),
      ]),
    ).toEqual([]);
  });
});

/** A row of hours with one event in one minute. */
const minute = (at: string, what = 'c'): CounterIncrement => ({
  counter: { programId: 1, of: 'hour', name: at.slice(0, 13) },
  counts: { [what + at.slice(14, 16)]: 1 },
});

describe('the last 24 hours', () => {
  const now = new Date('2026-11-20T15:07:30.000Z');

  it.each([
    ['2026-11-19T15:07:59.999Z', 0],
    ['2026-11-19T15:08:00.000Z', 1],
    ['2026-11-19T16:00:00.000Z', 1],
    ['2026-11-20T15:07:59.999Z', 1],
    ['2026-11-20T15:08:00.000Z', 0],
  ])('an event of %s counts %i', (at, expected) => {
    expect(lastDayCounts([minute(at), minute(at, 'l')], now)).toEqual({ clicks: expected, leads: expected, sales: 0 });
  });

  it('an event counts at any age below 24 hours in whole minutes, and at none from there', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: now, noInvalidDate: true }), fc.nat(3_000), (event, minutes) => {
        const at = new Date(event.getTime() + minutes * 60_000);
        expect(lastDayCounts([minute(event.toISOString())], at).clicks).toBe(minutes < 1_440 ? 1 : 0);
      }),
    );
  });
});

describe('pending', () => {
  const now = new Date('2026-11-20T15:07:30.000Z');

  it('is what is held beyond this minute: of later minutes, hours and days', () => {
    const hours = [
      { counter: minute('2026-11-20T15').counter, counts: { p06: 1, p07: 2, p08: 4 } },
      minute('2026-11-20T23:59', 'p'),
    ];
    const days: CounterIncrement[] = [
      { counter: { programId: 1, of: 'pendingDay', name: '2026-11-21' }, counts: { pending: 8 } },
    ];
    expect(pendingAfter(now, hours, days)).toBe(4 + 1 + 8);
  });

  it('is nothing of a day that has other counts only', () => {
    const days: CounterIncrement[] = [{ counter: { programId: 1, of: 'pendingDay', name: '2026-11-21' }, counts: {} }];
    expect(pendingAfter(now, [], days)).toBe(0);
  });
});

describe('amounts', () => {
  it('are grouped by currency; an empty currency is left out', () => {
    expect(eventCounts({ clicks: 2, revenueUSD: 10, paidOutUSD: 3, commissionEUR: 0, platformFeeVND: -1 })).toEqual({
      clicks: 2,
      leads: 0,
      sales: 0,
      amounts: {
        USD: { revenueCents: 10, refundedCents: 0, commissionCents: 0, platformFeeCents: 0, paidOutCents: 3 },
        VND: { revenueCents: 0, refundedCents: 0, commissionCents: 0, platformFeeCents: -1, paidOutCents: 0 },
      },
    });
  });

  it('are none where nothing was counted', () => {
    expect(eventCounts()).toEqual({ clicks: 0, leads: 0, sales: 0, amounts: {} });
  });
});
