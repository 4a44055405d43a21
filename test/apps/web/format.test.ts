import { describe, expect, it } from 'vitest';
import {
  changeText,
  commissionText,
  countOf,
  dateText,
  daysText,
  exactTimeText,
  localDateText,
  moneyText,
  timeText,
  unitsOf,
} from '#lib/apps/web/format.ts';

describe('an amount of money on a page', () => {
  it.each([
    [4_900, 'USD', '$49.00'],
    [5, 'EUR', '€0.05'],
    [-980, 'USD', '-$9.80'],
    [49_000, 'VND', '₫49,000'],
    [0, 'USD', '$0.00'],
    [4_900, 'JPY', '¥4,900'],
    [4_900, 'KWD', 'KWD\u{A0}4.900'],
    [1, 'KWD', 'KWD\u{A0}0.001'],
    [490_000, 'HUF', 'HUF\u{A0}4,900.00'],
    [490_000, 'IDR', 'IDR\u{A0}4,900.00'],
  ])('of %i %s is shown as %s', (cents, currency, text) => {
    expect(moneyText(cents, currency)).toBe(text);
  });

  it('is drawn in charts in whole units of its currency', () => {
    expect(['USD', 'VND', 'KWD'].map((currency) => unitsOf(4_950, currency))).toEqual([49.5, 4_950, 4.95]);
  });
});

it.each([
  [-1, 'less than a day'],
  [0, 'less than a day'],
  [1, '1 day'],
  [42, '42 days'],
])('a time span of %i milliseconds is shown as %s', (days, text) => {
  expect(daysText(days)).toBe(text);
});

describe('a time on a page', () => {
  const at = '2026-11-20T23:05:59.999Z';

  it('is shown in the time zone, to the second', () => {
    expect(timeText(at, 'Asia/Kolkata')).toBe('Nov 21, 2026, 04:35:59');
    expect(timeText('2026-11-20T00:00:00Z', 'UTC')).toBe('Nov 20, 2026, 00:00:00');
  });

  it('has a title that shows it with its time zone and in UTC', () => {
    expect(exactTimeText(at, 'Asia/Kolkata')).toBe('Nov 21, 2026, 04:35:59 GMT+5:30 (Nov 20, 2026, 23:05:59 UTC)');
    expect(exactTimeText(at, 'UTC')).toBe('Nov 20, 2026, 23:05:59 UTC');
  });

  it('shows its day in the time zone of the page, while a report’s day is in UTC', () => {
    expect(localDateText(at, 'Asia/Kolkata')).toBe('Nov 21, 2026');
    expect(dateText('2026-11-20')).toBe('Nov 20, 2026');
  });
});

it('a figure’s change from the previous period is shown', () => {
  expect([changeText(5, 4), changeText(3, 4), changeText(4, 4), changeText(-2, -4)]).toEqual([
    '+25%',
    '-25%',
    '0%',
    '+50%',
  ]);
});

it('counts are written with singular and plural', () => {
  expect([countOf(0, 'sale'), countOf(1, 'sale'), countOf(1_200, 'sale')]).toEqual([
    '0 sales',
    '1 sale',
    '1,200 sales',
  ]);
});

it.each([
  [{ commission_type: 'percent', commission_rate: 20 }, '20% of each sale, renewals excluded'],
  [{ commission_type: 'fixed', commission_rate: 50 }, '$50 per sale, renewals excluded'],
  [{ commission_type: 'fixed', commission_rate: 0.5, currency: 'EUR' }, '€0.5 per sale, renewals excluded'],
  [{ commission_type: 'fixed', commission_rate: 50, currency: 'JPY' }, '¥50 per sale, renewals excluded'],
  [{ commission_type: 'recurring_percent', commission_rate: 12.5 }, '12.5% of each sale, renewals included'],
  [
    { commission_type: 'recurring_fixed', commission_rate: 5, duration_months: 12 },
    '$5 per sale, renewals for 12 months',
  ],
] as const)('the commission terms %j are described in words', (terms, text) => {
  expect(commissionText({ duration_months: null, currency: 'USD', ...terms })).toBe(text);
});
