import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countsWithin,
  dailyCounts,
  eventCounts,
  lastDayCounts,
  pendingAfter,
} from '#lib/service/ground/counters/counter-readings.ts';
import { clickOf, type Countable, incrementsOf } from '#lib/service/reports/counting/counters.ts';
import { mergeIncrements } from '#lib/service/reports/counting/increment-sum.ts';
import {
  counterId,
  type CounterIncrement,
  type Counts,
  hasDays,
  isMinute,
  mergedCounts,
  partsOf,
  withoutZeros,
} from '#lib/service/ground/counters/counter.ts';

const AT = '2026-11-20T15:07:59.999Z';
const credited = { programId: 1, partnerId: 5, shortLink: 'ana', clickId: 'clk_1', createdAt: AT };
const commission = {
  ...credited,
  status: 'pending',
  amountCents: 5000,
  deductedCents: 0,
  currency: 'USD',
  platformFee: { amountCents: 35, currency: 'EUR' },
  occurredAt: '2026-11-01T00:00:00.000Z',
  holdUntil: '2026-12-05T15:00:00.000Z',
};
const refund = { ...credited, amountCents: 500, currency: 'EUR', deductionCents: 100 };
const countable = (kind: Countable['kind'], item: object) => ({ kind, item }) as Countable;

/** Counts by counter id. */
const spelled = (increments: readonly CounterIncrement[]): Record<string, Counts> =>
  Object.fromEntries(increments.map(({ counter, counts }) => [counterId(counter), counts]));
const counts = (kind: Countable['kind'], item: object) => spelled(incrementsOf(undefined, countable(kind, item)));
/** Totals, and the same values for one day. */
const onDay = (day: string, totals: Counts): Counts => ({
  ...totals,
  ...Object.fromEntries(Object.entries(totals).map(([what, count]) => [`${what}@${day}`, count])),
});
/** The customer's counts, which have no days. */
const ofCustomer = (totals: Counts) => ({ 'CUSTOMER#clk_1': totals });
/** The same counts for the program, the partner and the link. */
const ofAll = (all: Counts, ofProgram: Counts = {}) => ({
  'PROGRAM#1': { ...all, ...ofProgram },
  'PARTNER#1#5': all,
  'LINK#ana': all,
});

describe('the counters count', () => {
  it('for a click: one click in total and on the click’s day; in the program’s counter, also in the click’s minute', () => {
    expect(counts('click', credited)).toEqual(
      ofAll(onDay('2026-11-20', { clicks: 1 }), { 'clicks@2026-11-20T15:07': 1 }),
    );
  });

  it('for a provisional lead: nothing', () => {
    expect(counts('lead', { ...credited, state: 'provisional' })).toEqual({});
  });

  it('for a sale: the sale and its amount on the day of the payment, and the sale in the minute in which it was recorded', () => {
    const attribution = { partnerId: 5, shortLink: 'ana', clickId: 'clk_1' };
    const sale = {
      programId: 1,
      createdAt: AT,
      occurredAt: '2026-11-01T00:00:00.000Z',
      amountCents: 7,
      currency: 'VND',
    };
    expect(counts('sale', { ...sale, attribution })).toEqual({
      ...ofAll(onDay('2026-11-01', { sales: 1, revenueVND: 7 }), { 'sales@2026-11-20T15:07': 1 }),
      ...ofCustomer({ revenueVND: 7 }),
    });
  });

  it('for a commission: amount, fee, and one pending commission on the day on which the hold ends; for the program, also in that minute', () => {
    expect(counts('commission', commission)).toEqual({
      ...ofAll(onDay('2026-11-01', { commissionUSD: 5000, platformFeeEUR: 35 }), {
        ...onDay('2026-12-05', { pending: 1 }),
        'pending@2026-12-05T15:00': 1,
      }),
      ...ofCustomer({ commissionUSD: 5000 }),
    });
  });

  it('for a rejected commission: amount and fee, and on the day of the sale the amount less refunds as rejected', () => {
    const rejected = { ...commission, status: 'rejected', deductedCents: 1200 };
    expect(counts('commission', rejected)).toEqual({
      ...ofAll(onDay('2026-11-01', { commissionUSD: 5000, rejectedUSD: 3800, platformFeeEUR: 35 })),
      ...ofCustomer({ commissionUSD: 5000 }),
    });
  });

  it('for a commission rejected while a rule held it for review: nothing', () => {
    expect(counts('commission', { ...commission, status: 'rejected', deductedCents: 0, heldAt: AT })).toEqual({});
  });

  it('for a commission stored without its link: the same as with a link, but nothing in the link’s counter', () => {
    const { 'LINK#ana': _, ...others } = counts('commission', commission);
    expect(counts('commission', { ...commission, shortLink: undefined })).toEqual(others);
  });

  it('for a refund: the refund on its own day, with the deduction in the commission’s currency', () => {
    expect(counts('refund', { ...refund, commissionCurrency: 'USD', feeReductionCents: 18 })).toEqual({
      ...ofAll(onDay('2026-11-20', { refundedEUR: 500, commissionUSD: -100, platformFeeEUR: -18 })),
      ...ofCustomer({ refundedEUR: 500, commissionUSD: -100 }),
    });
  });

  it('for a refund of a sale without a commission: only the refunded money', () => {
    expect(counts('refund', { ...refund, deductionCents: 0 })).toEqual({
      ...ofAll(onDay('2026-11-20', { refundedEUR: 500 })),
      ...ofCustomer({ refundedEUR: 500 }),
    });
  });

  it('for a sale without a partner: only a sale in the program’s counter', () => {
    const sale = { programId: 1, createdAt: AT, occurredAt: AT, amountCents: 7, currency: 'USD', shortLink: undefined };
    expect(counts('sale', { ...sale, attribution: undefined })).toEqual({
      'PROGRAM#1': { ...onDay('2026-11-20', { sales: 1, revenueUSD: 7 }), 'sales@2026-11-20T15:07': 1 },
    });
  });

  it('for a click without a partner: only a click in the counters of the program and the link', () => {
    const { 'PARTNER#1#5': _, ...others } = counts('click', credited);
    expect(counts('click', { ...credited, partnerId: undefined })).toEqual(others);
  });

  it.each<[string, Countable['kind'], object]>([
    ['a test click', 'click', { ...credited, isTest: true }],
    ['a verification lead', 'lead', { ...credited, state: 'settled', shortLink: 'afftest1' }],
    ['a test sale', 'sale', { ...credited, isTest: true, amountCents: 7, currency: 'USD', occurredAt: AT }],
    ['a refund of a test sale', 'refund', { ...refund, isTest: true }],
  ])('for %s: nothing', (_, kind, item) => {
    expect(counts(kind, item)).toEqual({});
  });
});

describe('clickOf, which finds the time of a link’s latest click,', () => {
  it('returns the time of a real click', () => {
    expect(clickOf(countable('click', credited))).toEqual({ shortLink: 'ana', at: AT });
  });

  it.each<[string, Countable | undefined]>([
    ['a test click', countable('click', { ...credited, isTest: true })],
    ['a lead', countable('lead', { ...credited, state: 'settled' })],
    ['an item that does not count', undefined],
  ])('returns nothing for %s', (_, event) => {
    expect(clickOf(event)).toBeUndefined();
  });
});

describe('a change of an item', () => {
  it.each<[string, Countable['kind'], object, object, Record<string, Counts>]>([
    ['of a customer counts nothing', 'click', credited, { ...credited, status: 'lead' }, {}],
    [
      'that confirms a lead counts the lead on its own day',
      'lead',
      { ...credited, state: 'provisional' },
      { ...credited, state: 'settled' },
      ofAll(onDay('2026-11-20', { leads: 1 }), { 'leads@2026-11-20T15:07': 1 }),
    ],
    [
      'that ends the pending status of a commission subtracts it from the day on which its hold would have ended',
      'commission',
      commission,
      { ...commission, status: 'rejected' },
      ofAll(onDay('2026-11-01', { rejectedUSD: 5000 }), {
        ...onDay('2026-12-05', { pending: -1 }),
        'pending@2026-12-05T15:00': -1,
      }),
    ],
    [
      'that reopens a rejected commission subtracts it from the rejected amount',
      'commission',
      { ...commission, status: 'rejected', deductedCents: 200 },
      {
        ...commission,
        status: 'pending',
        byHand: true,
        deductedCents: 500,
        lateDeductions: { '2026-11-09': { deductionCents: 300, feeReductionCents: 0 } },
      },
      {
        ...ofAll(
          { ...onDay('2026-11-01', { rejectedUSD: -4800 }), ...onDay('2026-11-09', { commissionUSD: -300 }) },
          { ...onDay('9999-12-31', { pending: 1 }), 'pending@9999-12-31T00:00': 1 },
        ),
        ...ofCustomer({ commissionUSD: -300 }),
      },
    ],
    [
      'that pays out a commission adds the amount to the partner’s total and to no day',
      'commission',
      { ...commission, status: 'approved' },
      { ...commission, status: 'paid', paidOutCents: 4000 },
      { 'PARTNER#1#5': { paidOutUSD: 4000 } },
    ],
  ])('%s', (_, kind, before, after, expected) => {
    expect(spelled(incrementsOf(countable(kind, before), countable(kind, after)))).toEqual(expected);
  });

  it('that deletes the item subtracts from the counters everything that was counted for it', () => {
    expect(
      mergeIncrements([
        ...incrementsOf(undefined, countable('commission', commission)),
        ...incrementsOf(countable('commission', commission), undefined),
      ]),
    ).toEqual([]);
  });
});

const anyTime = fc
  .date({ min: new Date('2026-10-30'), max: new Date('2026-12-02'), noInvalidDate: true })
  .map((date) => date.toISOString());
const cents = fc.integer({ min: 0, max: 1_000_000 });
const anyCurrency = fc.constantFrom('USD', 'EUR', 'VND');
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const creditedItem = {
  programId: fc.constantFrom(1, 2),
  partnerId: maybe(fc.constantFrom(5, 6)),
  shortLink: maybe(fc.constantFrom('ana', 'ben', 'afftest1')),
  clickId: maybe(fc.constantFrom('clk_1', 'clk_2')),
  createdAt: anyTime,
};
const money = { amountCents: cents, currency: anyCurrency };
/** Two states of one kind, as an item before and after a change. */
const anyTwo = fc.oneof(
  ...(
    [
      ['click', { ...creditedItem, isTest: maybe(fc.boolean()) }],
      ['lead', { ...creditedItem, state: fc.constantFrom('provisional', 'settled') }],
      [
        'sale',
        {
          programId: creditedItem.programId,
          attribution: maybe(
            fc.record({
              partnerId: fc.constantFrom(5, 6),
              shortLink: fc.constantFrom('ana', 'ben'),
              clickId: creditedItem.clickId,
            }),
          ),
          createdAt: anyTime,
          occurredAt: anyTime,
          ...money,
        },
      ],
      [
        'commission',
        {
          ...creditedItem,
          partnerId: fc.constantFrom(5, 6),
          ...money,
          deductedCents: cents,
          status: fc.constantFrom('pending', 'approved', 'paid', 'rejected'),
          platformFee: fc.record(money),
          paidOutCents: maybe(cents),
          occurredAt: anyTime,
          holdUntil: anyTime,
        },
      ],
      [
        'refund',
        {
          ...creditedItem,
          ...money,
          deductionCents: cents,
          commissionCurrency: maybe(anyCurrency),
          feeReductionCents: maybe(cents),
        },
      ],
    ] as const
  ).map(([kind, fields]) => {
    const one = fc.record(fields as Record<string, fc.Arbitrary<unknown>>).map((item) => countable(kind, item));
    return fc.tuple(one, one);
  }),
);

describe('the counters after any sequence of changes', () => {
  it('have totals that equal the sums of their days, except for amounts paid out and counters of customers', () => {
    fc.assert(
      fc.property(fc.array(anyTwo, { maxLength: 20 }), (changes) => {
        const all = mergeIncrements(changes.flatMap(([before, after]) => incrementsOf(before, after)));
        for (const counter of all) {
          const totals: Record<string, number> = {};
          const ofDays: Record<string, number> = {};
          for (const [field, count] of Object.entries(counter.counts)) {
            const { what, at } = partsOf(field);
            if (at === undefined && hasDays(counter.counter, what)) totals[what] = count;
            if (at !== undefined && !isMinute(at)) ofDays[what] = (ofDays[what] ?? 0) + count;
          }
          expect(withoutZeros(ofDays)).toEqual(totals);
        }
      }),
    );
  });

  it('have totals that equal the sums of their minutes, if they count for a program', () => {
    fc.assert(
      fc.property(fc.array(anyTwo, { maxLength: 20 }), (changes) => {
        const all = mergeIncrements(changes.flatMap(([before, after]) => incrementsOf(before, after)));
        for (const counter of all) {
          const ofMinutes: Record<string, number> = {};
          for (const [field, count] of Object.entries(counter.counts)) {
            const { what, at } = partsOf(field);
            if (at !== undefined && isMinute(at)) ofMinutes[what] = (ofMinutes[what] ?? 0) + count;
          }
          const { clicks = 0, leads = 0, sales = 0, pending = 0 } = counter.counts;
          const isProgram = counter.counter.of === 'program';
          expect(withoutZeros(ofMinutes)).toEqual(isProgram ? withoutZeros({ clicks, leads, sales, pending }) : {});
        }
      }),
    );
  });

  it('do not change if a change of an item is reversed', () => {
    fc.assert(
      fc.property(anyTwo, ([before, after]) => {
        expect(mergeIncrements([...incrementsOf(before, after), ...incrementsOf(after, before)])).toEqual([]);
      }),
    );
  });

  it('depend only on the final state of the item, not on its earlier states', () => {
    fc.assert(
      fc.property(anyTwo, ([before, after]) => {
        const changes = mergeIncrements([...incrementsOf(undefined, before), ...incrementsOf(before, after)]);
        expect(spelled(changes)).toEqual(spelled(incrementsOf(undefined, after)));
      }),
    );
  });
});

it('the counter of a customer counts only money, and only in total', () => {
  fc.assert(
    fc.property(fc.array(anyTwo, { maxLength: 20 }), (changes) => {
      const all = mergeIncrements(changes.flatMap(([before, after]) => incrementsOf(before, after)));
      const fields = all.flatMap(({ counter, counts: ofOne }) => (counter.of === 'customer' ? Object.keys(ofOne) : []));
      expect(fields.filter((field) => !/^(revenue|refunded|commission)(USD|EUR|VND)$/.test(field))).toEqual([]);
    }),
  );
});

describe('the clicks, leads and sales of the last 24 hours', () => {
  const now = new Date('2026-11-20T15:07:30.000Z');

  it.each([
    ['2026-11-19T15:07:59.999Z', 0],
    ['2026-11-19T15:08:00.000Z', 1],
    ['2026-11-19T16:00:00.000Z', 1],
    ['2026-11-20T15:07:59.999Z', 1],
    ['2026-11-20T15:08:00.000Z', 0],
  ])('count, at 15:07 on 2026-11-20, an event of %s as %i', (at, expected) => {
    const ofMinute = { [`clicks@${at.slice(0, 16)}`]: 1, [`leads@${at.slice(0, 16)}`]: 1 };
    const ofDay = onDay(at.slice(0, 10), { clicks: 1, leads: 1 });
    expect(lastDayCounts({ ...ofDay, ...ofMinute }, now)).toEqual({ clicks: expected, leads: expected, sales: 0 });
  });

  it('count the events of the present minute and the 1439 before it, and no older ones', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: now, noInvalidDate: true }), fc.nat(3_000), (event, minutes) => {
        const at = new Date(event.getTime() + minutes * 60_000);
        const { 'PROGRAM#1': program } = counts('click', { ...credited, createdAt: event.toISOString() });
        expect(lastDayCounts(program!, at).clicks).toBe(minutes < 1_440 ? 1 : 0);
      }),
    );
  });
});

describe('the number of pending commissions in a counter', () => {
  const now = new Date('2026-11-20T15:07:30.000Z');

  it('is the sum of those whose hold ends in later minutes of today or on later days', () => {
    const today = {
      'pending@2026-11-20T15:06': 1,
      'pending@2026-11-20T15:07': 2,
      'pending@2026-11-20T15:08': 4,
      'pending@2026-11-20T23:59': 1,
      'pending@2026-11-20': 8,
    };
    const later = { 'pending@2026-11-21': 8, 'pending@2026-11-21T09:00': 8, 'pending@2026-11-19': 16, pending: 32 };
    expect(pendingAfter({ ...today, ...later }, now)).toBe(4 + 1 + 8);
  });

  it('ignores counts of clicks and sales on later days', () => {
    expect(pendingAfter({ 'clicks@2026-11-21': 1, 'sales@2026-11-20T15:08': 1 }, now)).toBe(0);
  });

  it('is the number of commissions whose hold ends in a later minute than the present one', () => {
    fc.assert(
      fc.property(fc.array(anyTime, { maxLength: 20 }), anyTime, (holds, at) => {
        const all = holds.map((holdUntil) => counts('commission', { ...commission, holdUntil })['PROGRAM#1']!);
        const held = holds.filter((holdUntil) => holdUntil.slice(0, 16) > at.slice(0, 16));
        expect(pendingAfter(mergedCounts(all), new Date(at))).toBe(held.length);
      }),
    );
  });
});

const revenue = (revenueCents: number) => ({
  USD: { revenueCents, refundedCents: 0, commissionCents: 0, rejectedCents: 0, platformFeeCents: 0, paidOutCents: 0 },
});

describe('the counts of a period of days', () => {
  const counted = {
    ...onDay('2026-11-18', { sales: 1, revenueUSD: 4900 }),
    ...onDay('2026-11-20', { clicks: 2, revenueUSD: -100 }),
    'clicks@2026-11-20T15:00': 2,
    'pending@2026-11-19': 1,
  };

  it.each([
    [
      '2026-11-18',
      '2026-11-20',
      { clicks: 2, botClicks: 0, repeatClicks: 0, leads: 0, sales: 1, amounts: revenue(4800) },
    ],
    [
      '2026-11-19',
      '2026-11-20',
      { clicks: 2, botClicks: 0, repeatClicks: 0, leads: 0, sales: 0, amounts: revenue(-100) },
    ],
    [
      '2026-11-18',
      '2026-11-19',
      { clicks: 0, botClicks: 0, repeatClicks: 0, leads: 0, sales: 1, amounts: revenue(4900) },
    ],
    ['2026-11-21', '2026-12-20', { clicks: 0, botClicks: 0, repeatClicks: 0, leads: 0, sales: 0, amounts: {} }],
  ])('from %s to %s are the sums of its days, including the first and the last', (from, to, expected) => {
    expect(countsWithin(counted, from, to)).toEqual(expected);
  });

  it('are also listed by day, including the first and the last', () => {
    expect(dailyCounts(counted, '2026-11-18', '2026-11-20')).toEqual(
      new Map([
        ['2026-11-18', { clicks: 0, botClicks: 0, repeatClicks: 0, leads: 0, sales: 1, amounts: revenue(4900) }],
        ['2026-11-20', { clicks: 2, botClicks: 0, repeatClicks: 0, leads: 0, sales: 0, amounts: revenue(-100) }],
        ['2026-11-19', { clicks: 0, botClicks: 0, repeatClicks: 0, leads: 0, sales: 0, amounts: {} }],
      ]),
    );
    expect(dailyCounts(counted, '2026-11-21', '2026-12-20')).toEqual(new Map());
  });
});

describe('the money counted in a counter', () => {
  it('is grouped by currency, without currencies in which every amount is 0', () => {
    expect(eventCounts({ clicks: 2, revenueUSD: 10, paidOutUSD: 3, commissionEUR: 0, platformFeeVND: -1 })).toEqual({
      clicks: 2,
      botClicks: 0,
      repeatClicks: 0,
      leads: 0,
      sales: 0,
      amounts: {
        USD: {
          revenueCents: 10,
          refundedCents: 0,
          commissionCents: 0,
          rejectedCents: 0,
          platformFeeCents: 0,
          paidOutCents: 3,
        },
        VND: {
          revenueCents: 0,
          refundedCents: 0,
          commissionCents: 0,
          rejectedCents: 0,
          platformFeeCents: -1,
          paidOutCents: 0,
        },
      },
    });
  });

  it('is shown in every currency that was counted, and invalid values are ignored', () => {
    const counted = eventCounts({
      revenueKWD: 4_900,
      paidOutJPY: 5,
      pending: 3,
      'revenueKWD@2026-11-20': 4_900,
      clicks: 1,
      botClicks: 0,
      repeatClicks: 0,
    });
    expect(Object.entries(counted.amounts)).toEqual([
      [
        'JPY',
        {
          revenueCents: 0,
          refundedCents: 0,
          commissionCents: 0,
          rejectedCents: 0,
          platformFeeCents: 0,
          paidOutCents: 5,
        },
      ],
      [
        'KWD',
        {
          revenueCents: 4_900,
          refundedCents: 0,
          commissionCents: 0,
          rejectedCents: 0,
          platformFeeCents: 0,
          paidOutCents: 0,
        },
      ],
    ]);
  });

  it('is empty if nothing was counted', () => {
    expect(eventCounts()).toEqual({ clicks: 0, botClicks: 0, repeatClicks: 0, leads: 0, sales: 0, amounts: {} });
  });
});
