import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  changeText,
  commissionText,
  countOf,
  dateText,
  daysText,
  exactTimeText,
  initialsOf,
  localDateText,
  shortLocalDateText,
  moneysText,
  moneyText,
  monthText,
  percentText,
  shortDateText,
  shortMoneyFormat,
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

  it('is converted to whole units of its currency for charts, such as 49.5 for 4950 cents', () => {
    expect(['USD', 'VND', 'KWD'].map((currency) => unitsOf(4_950, currency))).toEqual([49.5, 4_950, 4.95]);
  });
});

it.each([
  [-1, 'less than a day'],
  [0, 'less than a day'],
  [1, '1 day'],
  [42, '42 days'],
])('a duration of %i milliseconds is shown as %s', (days, text) => {
  expect(daysText(days)).toBe(text);
});

describe('a time on a page', () => {
  const at = '2026-11-20T23:05:59.999Z';

  it('is shown in a given time zone, with seconds', () => {
    expect(timeText(at, 'Asia/Kolkata')).toBe('Nov 21, 2026, 4:35:59 AM');
    expect(timeText('2026-11-20T00:00:00Z', 'UTC')).toBe('Nov 20, 2026, 12:00:00 AM');
  });

  it('has a tooltip with the time zone and the time in UTC', () => {
    expect(exactTimeText(at, 'Asia/Kolkata')).toBe('Nov 21, 2026, 4:35:59 AM GMT+5:30 (Nov 20, 2026, 11:05:59 PM UTC)');
    expect(exactTimeText(at, 'UTC')).toBe('Nov 20, 2026, 11:05:59 PM UTC');
  });

  it('has the day in the page’s time zone, while the day of a report is in UTC', () => {
    expect(localDateText(at, 'Asia/Kolkata')).toBe('Nov 21, 2026');
    expect(shortLocalDateText(at, 'Asia/Kolkata')).toBe('Nov 21');
    expect(dateText('2026-11-20')).toBe('Nov 20, 2026');
    expect([shortDateText('2026-11-20'), monthText('2026-11')]).toEqual(['Nov 20', 'Nov 2026']);
  });
});

it('the change of a number from the previous period is shown as a percentage with sign', () => {
  expect([changeText(5, 4), changeText(3, 4), changeText(4, 4), changeText(-2, -4)]).toEqual([
    '+25%',
    '-25%',
    '0%',
    '+50%',
  ]);
});

it('a number of things is written with the singular for 1 and the plural otherwise', () => {
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

/** The formats of a browser with these languages. */
function formatsIn(...languages: string[]) {
  vi.stubGlobal('navigator', { languages });
  vi.resetModules();
  return import('#lib/apps/web/format.ts');
}

describe('in a browser with another language than English', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it('numbers, money, rates and times are written in that language’s format, and words stay English', async () => {
    const german = await formatsIn('de-DE', 'en-US');
    expect([
      german.moneyText(123_456, 'EUR'),
      german.moneysText({ EUR: 100, USD: 200 }),
      german.shortMoneyFormat('EUR')(1_200_000),
      german.countOf(1_200, 'sale'),
      german.changeText(3, 2),
      german.dateText('2026-11-20'),
      german.shortDateText('2026-11-20'),
      german.monthText('2026-11'),
      german.timeText('2026-11-20T23:05:59.999Z', 'UTC'),
      german.commissionText({
        commission_type: 'recurring_percent',
        commission_rate: 12.5,
        duration_months: 12,
        currency: 'EUR',
      }),
    ]).toEqual([
      '1.234,56\u{A0}€',
      '1,00\u{A0}€ and 2,00\u{A0}$',
      '1,2\u{A0}Mio.\u{A0}€',
      '1.200 sales',
      '+50\u{A0}%',
      '20.11.2026',
      '20. Nov.',
      'Nov. 2026',
      '20.11.2026, 23:05:59',
      '12,5\u{A0}% of each sale, renewals for 12 months',
    ]);
  });

  it('amounts that are copied for a bank keep their format', async () => {
    expect((await formatsIn('de-DE')).plainMoneyText(123_456, 'EUR')).toBe('1234.56 EUR');
  });

  it.each([[[]], [['C']], [['en-US@posix']]])('an unknown language such as %j causes no failure', async (languages) => {
    expect((await formatsIn(...languages)).countText(0)).toBe('0');
  });
});

it('rates are written with at most four decimals', () => {
  expect([20, 12.5, 0.0525, 0.07].map(percentText)).toEqual(['20%', '12.5%', '0.0525%', '0.07%']);
});

it('amounts in two currencies are joined by “and”', () => {
  expect(moneysText({ USD: 123_400, EUR: 5_600 })).toBe('€56.00 and $1,234.00');
});

it('amounts on the axis of a chart are shortened, such as $1.2K', () => {
  expect([0, 950, 1_200, 3_400_000].map(shortMoneyFormat('USD'))).toEqual(['$0', '$950', '$1.2K', '$3.4M']);
});

it.each([
  ['Ana', 'A'],
  ['Ana Maria Lopes', 'AL'],
  ['jo.miller@example.com', 'JM'],
  ['owner@acme.test', 'O'],
  ['Jean-Luc "JL" Picard', 'JP'],
  ['Łukasz Żak', 'ŁŻ'],
  ['3M Company', '3C'],
  ['山田 太郎', '山太'],
  ['𝒜da', '𝒜'],
  ['🙂', ''],
  ['', ''],
])('the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
