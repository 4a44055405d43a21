import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addCalendarMonths,
  commissionAmount,
  commissionIsDue,
  type Payment,
  platformFeeCents,
  rateOf,
} from '#lib/service/programs/terms/commission-amount.ts';
import { type CommissionTerms, commissionTypes } from '#lib/service/programs/terms/terms.ts';
import { MOST_CENTS } from '#lib/service/ground/values/money.ts';
import { termsOf } from '#test/support/payments/terms.ts';

const terms = (changes: Partial<CommissionTerms> = {}): CommissionTerms =>
  termsOf({ commissionRate: 20, holdPeriodDays: 15, platformFeeBps: 350, ...changes });
const payment = (changes: Partial<Payment> = {}): Payment => ({
  amountCents: 4_900,
  currency: 'EUR',
  isRecurring: false,
  paidAt: new Date('2026-11-20T15:00:00.000Z'),
  ...changes,
});

it.each([
  [20, 20],
  [12.34565, 12.3457],
  [12.34564, 12.3456],
  [0.00005, 0.0001],
  [1_000_000_000, 1_000_000_000],
  [0.00004, undefined],
  [0, undefined],
  [-1, undefined],
  [1_000_000_000.001, undefined],
  [Number.NaN, undefined],
])('a commission rate of %d is stored as %s', (sent, kept) => {
  expect(rateOf(sent)).toBe(kept);
});

describe('the amount of a commission', () => {
  it.each([
    ['percent', 20, 4_900, 980, 'EUR'],
    ['recurring_percent', 20, 4_900, 980, 'EUR'],
    ['percent', 12.5, 100, 13, 'EUR'],
    ['percent', 12.4999, 100, 12, 'EUR'],
    ['percent', 33.3333, 100, 33, 'EUR'],
    ['percent', 0.0001, 499_999, 0, 'EUR'],
    ['percent', 0.0001, 500_000, 1, 'EUR'],
    ['percent', 1.15, 10_000, 115, 'EUR'],
    ['percent', 200, 50, 100, 'EUR'],
    ['fixed', 50, 1, 5_000, 'USD'],
    ['recurring_fixed', 0.005, 4_900, 1, 'USD'],
    ['fixed', 0.0049, 4_900, 0, 'USD'],
    ['fixed', 1.005, 4_900, 101, 'USD'],
  ] as const)(
    'with the terms %s %d on %i cents is %i %s',
    (commissionType, commissionRate, amountCents, expected, currency) => {
      expect(commissionAmount(terms({ commissionType, commissionRate }), payment({ amountCents }))).toEqual({
        amountCents: expected,
        currency,
      });
    },
  );

  it.each([
    // Amounts are in the program's currency with its decimals, for any currency of the sale.
    ['JPY', 50, 50],
    ['JPY', 0.5, 1],
    ['JPY', 0.4999, 0],
    ['KWD', 50, 50_000],
    ['KWD', 1.0005, 1_001],
    ['KWD', 1.0004, 1_000],
    ['EUR', 1.005, 101],
  ])('in %s at a fixed rate of %d is %i', (currency, commissionRate, amountCents) => {
    const fixed = terms({ commissionType: 'fixed', commissionRate, currency });
    expect(commissionAmount(fixed, payment({ currency: 'USD' }))).toEqual({ amountCents, currency });
  });

  it('at a fixed rate is rounded half up to the decimals of its currency', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.constantFrom('JPY', 'USD', 'KWD'),
        (tenThousandths, currency) => {
          const fixed = terms({ commissionType: 'fixed', commissionRate: tenThousandths / 10_000, currency });
          const { amountCents } = commissionAmount(fixed, payment());
          const unit = { JPY: 10_000, USD: 100, KWD: 10 }[currency];
          const excess = 2 * (amountCents * unit - tenThousandths);
          expect(excess > -unit && excess <= unit).toBe(true);
        },
      ),
    );
  });

  it.each([0, -1, 0.00004])('cannot be computed from the rate %d', (commissionRate) => {
    expect(() => commissionAmount(terms({ commissionRate }), payment())).toThrow(RangeError);
  });

  it('cannot be computed from an unknown commission type', () => {
    expect(() => commissionAmount(terms({ commissionType: 'gift' as never }), payment())).toThrow(RangeError);
  });

  it('is, for any rate and amount, an integer from 0 to the largest amount that the service accepts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...commissionTypes),
        fc.double({ min: 0.0001, max: 1e308, noNaN: true }),
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        (commissionType, commissionRate, amountCents) => {
          const amount = commissionAmount(terms({ commissionType, commissionRate }), payment({ amountCents }));
          expect(Number.isSafeInteger(amount.amountCents)).toBe(true);
          expect(amount.amountCents).toBeGreaterThanOrEqual(0);
          expect(amount.amountCents).toBeLessThanOrEqual(MOST_CENTS);
        },
      ),
    );
  });

  it('is at most the amount of the sale for a rate of up to 100 percent', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        (tenThousandths, amountCents) => {
          const commissionRate = tenThousandths / 10_000;
          const amount = commissionAmount(terms({ commissionRate }), payment({ amountCents }));
          expect(amount.amountCents).toBeLessThanOrEqual(amountCents);
        },
      ),
    );
  });
});

describe('a commission of a sale is due', () => {
  const firstPurchaseAt = '2026-01-31T10:00:00.000Z';
  const at = (time: string) => payment({ isRecurring: true, firstPurchaseAt, paidAt: new Date(time) });

  it.each(['percent', 'fixed'] as const)(
    'with the type %s for every payment that is not a renewal',
    (commissionType) => {
      expect(commissionIsDue(terms({ commissionType }), payment({ firstPurchaseAt }))).toBe(true);
      expect(commissionIsDue(terms({ commissionType }), payment({ isRecurring: true }))).toBe(false);
    },
  );

  it.each([
    ['before the end', '2026-02-28T09:59:59.999Z', true],
    ['at the clamped end of the month', '2026-02-28T10:00:00.000Z', false],
    ['before the first purchase', '2025-12-31T00:00:00.000Z', true],
  ])('with a recurring type for payments in the given number of months from the first purchase: %s', (_, time, due) => {
    expect(commissionIsDue(terms({ commissionType: 'recurring_percent', durationMonths: 1 }), at(time))).toBe(due);
  });

  it.each([undefined, 0])(
    'with a recurring type for all payments of the customer if the number of months is %s',
    (durationMonths) => {
      const lifelong = terms({ commissionType: 'recurring_fixed', durationMonths });
      expect(commissionIsDue(lifelong, at('2099-01-01T00:00:00.000Z'))).toBe(true);
    },
  );

  it('with a recurring type for the first payment of a customer, even if it is reported as a renewal', () => {
    const limited = terms({ commissionType: 'recurring_percent', durationMonths: 1 });
    expect(commissionIsDue(limited, payment({ isRecurring: true }))).toBe(true);
  });
});

it.each([
  [4_900, 350, 172],
  [4_900, 0, 0],
  [1, 4_999, 0],
  [1, 5_000, 1],
  [4_900, 10_000, 4_900],
])('the platform fee of %i cents at %i basis points is %i', (amountCents, bps, fee) => {
  expect(platformFeeCents(amountCents, bps)).toBe(fee);
});

describe('addCalendarMonths', () => {
  it.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2028-02-29', 12, '2029-02-28'],
    ['2026-08-31', 1, '2026-09-30'],
    ['2026-12-31', 2, '2027-02-28'],
    ['2026-11-20', 12, '2027-11-20'],
    ['2026-11-20', 0, '2026-11-20'],
    ['2026-03-31', 120, '2036-03-31'],
  ])('from %s by %i months gives %s', (date, months, expected) => {
    const time = 'T23:59:59.999Z';
    expect(addCalendarMonths(new Date(date + time), months).toISOString()).toBe(expected + time);
  });

  it('gives the same day of the wanted month, or its last day', () => {
    const dates = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, fc.integer({ min: 0, max: 120 }), (date, months) => {
        const moved = addCalendarMonths(date, months);
        const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
        const lastDay = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
        expect(moved.getUTCFullYear() * 12 + moved.getUTCMonth()).toBe(month);
        expect(moved.getUTCDate()).toBe(Math.min(date.getUTCDate(), lastDay));
        expect(moved.getTime() % 86_400_000).toBe(date.getTime() % 86_400_000);
      }),
    );
  });
});
