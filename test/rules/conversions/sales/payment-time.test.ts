import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paymentTime } from '#lib/service/conversions/sales/sale.ts';

const NOW = new Date('2026-11-20T15:00:00.000Z');
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const EARLIEST_MS = NOW.getTime() - 30 * DAY_MS;
const LATEST_MS = NOW.getTime() + 5 * MINUTE_MS;

it('the payment time of a sale is absent when none was sent', () => {
  expect(paymentTime(undefined, NOW)).toBeUndefined();
});

it.each([
  ['2026-11-20T15:00:00Z', '2026-11-20T15:00:00.000Z'],
  ['2026-11-20T15:00Z', '2026-11-20T15:00:00.000Z'],
  ['2026-11-20T15:00:00.123456Z', '2026-11-20T15:00:00.123Z'],
  ['2026-11-20T17:30:00+02:30', '2026-11-20T15:00:00.000Z'],
  ['2026-11-20T00:00:00-12:00', '2026-11-20T12:00:00.000Z'],
  ['2026-10-21T15:00:00.000Z', '2026-10-21T15:00:00.000Z'],
  ['2026-11-20T15:05:00.000Z', '2026-11-20T15:05:00.000Z'],
])('a sale may have the payment time %s', (sent, time) => {
  expect(paymentTime(sent, NOW)?.toISOString()).toBe(time);
});

it.each([
  ['no offset', '2026-11-20T15:00:00'],
  ['no time', '2026-11-20'],
  ['an offset without colon', '2026-11-20T15:00:00+0230'],
  ['a space', '2026-11-20 15:00:00Z'],
  ['lower case', '2026-11-20t15:00:00z'],
  ['a trailing line break', '2026-11-20T15:00:00Z\n'],
  ['a month that does not exist', '2026-13-01T00:00:00Z'],
  ['month zero', '2026-00-10T00:00:00Z'],
  ['day zero', '2026-11-00T00:00:00Z'],
  ['the 31st of November', '2026-11-31T00:00:00Z'],
  ['hour 24', '2026-11-19T24:00:00Z'],
  ['minute 60', '2026-11-20T14:60:00Z'],
  ['a leap second', '2026-11-19T23:59:60Z'],
  ['an offset of 24 hours', '2026-11-20T15:00:00+24:00'],
  ['an offset of 60 minutes', '2026-11-20T15:00:00+01:60'],
  ['a millisecond too old', '2026-10-21T14:59:59.999Z'],
  ['a millisecond too far ahead', '2026-11-20T15:05:00.001Z'],
  ['another alphabet', '٢٠٢٦-11-20T15:00:00Z'],
  ['nothing', ''],
])('a payment time of a sale is refused with %s', (_, sent) => {
  expect(paymentTime(sent, NOW)?.getTime()).toBeNaN();
});

it.each([1_795_186_800_000, true, {}, ['2026-11-20T15:00:00Z']])(
  'the payment time %j of a sale is refused, because it is not a string',
  (sent) => {
    expect(paymentTime(sent, NOW)?.getTime()).toBeNaN();
  },
);

it('a sale may have the 29th of February as payment time in leap years only', () => {
  expect(paymentTime('2027-02-29T00:00:00Z', new Date('2027-03-01T00:00:00Z'))?.getTime()).toBeNaN();
  expect(paymentTime('2028-02-29T00:00:00Z', new Date('2028-03-01T00:00:00Z'))?.toISOString()).toBe(
    '2028-02-29T00:00:00.000Z',
  );
});

const twoDigits = (value: number) => String(Math.abs(value)).padStart(2, '0');
/** The reference implementation: shift the clock, then write down its time. */
const written = (ms: number, offsetMinutes: number) => {
  const shown = new Date(ms + offsetMinutes * MINUTE_MS).toISOString().slice(0, -1);
  const sign = offsetMinutes < 0 ? '-' : '+';
  return `${shown}${sign}${twoDigits(Math.trunc(offsetMinutes / 60))}:${twoDigits(offsetMinutes % 60)}`;
};

describe('any payment time, written with any offset', () => {
  it('is accepted within the last 30 days and the next 5 minutes, and refused outside', () => {
    const moments = fc.oneof(
      fc.integer({ min: EARLIEST_MS - 3 * DAY_MS, max: LATEST_MS + 3 * DAY_MS }),
      fc.integer({ min: EARLIEST_MS - 2, max: EARLIEST_MS + 2 }),
      fc.integer({ min: LATEST_MS - 2, max: LATEST_MS + 2 }),
    );
    fc.assert(
      fc.property(moments, fc.integer({ min: -1_439, max: 1_439 }), (ms, offsetMinutes) => {
        const isTaken = ms >= EARLIEST_MS && ms <= LATEST_MS;
        expect(paymentTime(written(ms, offsetMinutes), NOW)?.getTime()).toBe(isTaken ? ms : Number.NaN);
      }),
    );
  });

  it('never causes an exception', () => {
    fc.assert(
      fc.property(
        fc.anything().filter((value) => value !== undefined),
        (value) => {
          expect(paymentTime(value, NOW)?.getTime()).toBeNaN();
        },
      ),
    );
  });
});
