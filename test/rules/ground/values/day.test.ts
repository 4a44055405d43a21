import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayLater, dayOf, daysWithin, isDay, monthsWithin } from '#lib/service/ground/values/day.ts';

describe('isDay, which checks a date,', () => {
  it.each(['2026-11-20', '2024-02-29', '0000-01-01', '9999-12-31'])('accepts %s', (text) => {
    expect(isDay(text)).toBe(true);
  });
  it.each(['', '2026-02-29', '2026-00-10', '2026-13-01', '2026-04-31', '2026-1-1', ' 2026-01-01', '2026-01-01T00:00Z'])(
    'refuses %j',
    (text) => expect(isDay(text)).toBe(false),
  );
});

it('dayLater counts days forwards and backwards', () => {
  const days = fc.date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(days, fc.integer({ min: -1000, max: 1000 }), (date, n) => {
      const day = dayOf(date);
      const other = dayLater(day, n);
      expect(isDay(other)).toBe(true);
      expect(dayLater(other, -n)).toBe(day);
      expect(daysWithin(day, other)).toBe(n + 1);
    }),
  );
});

describe('the months of a period', () => {
  it.each([
    ['2026-11-20', '2026-11-20', ['2026-11']],
    ['2026-11-30', '2026-12-01', ['2026-11', '2026-12']],
    ['2026-01-31', '2026-03-01', ['2026-01', '2026-02', '2026-03']],
    ['2025-12-31', '2026-01-01', ['2025-12', '2026-01']],
    ['0000-12-31', '0001-01-01', ['0000-12', '0001-01']],
    ['9999-11-01', '9999-12-31', ['9999-11', '9999-12']],
    ['2026-12-01', '2026-11-30', []],
    ['2027-12-01', '2026-11-30', []],
  ])('from %s to %s are %j', (from, to, months) => {
    expect(monthsWithin(from, to)).toEqual(months);
  });

  it('are the months of all days in the period', () => {
    const days = fc.date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(days, fc.nat(800), (date, n) => {
        const from = dayOf(date);
        const ofDays = Array.from({ length: n + 1 }, (_, at) => dayLater(from, at).slice(0, 7));
        expect(monthsWithin(from, dayLater(from, n))).toEqual([...new Set(ofDays)]);
      }),
    );
  });
});
