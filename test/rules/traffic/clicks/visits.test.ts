import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  markField,
  markOf,
  minuteField,
  MOST_MARKS,
  MOST_MINUTES,
  seenVisitor,
  spareFields,
  type Visits,
} from '#lib/service/traffic/clicks/visits.ts';

const DAY = '2026-11-20';
const NEXT = '2026-11-21';
const at = (time: string, day = DAY) => new Date(`${day}T${time}Z`);
const field = markField('a-hash of a visitor');

/** The result for a click after a mark of the same visitor. */
const after = (mark: Date, now: Date) =>
  seenVisitor({ day: DAY, field, own: markOf(now, DAY, 0.5), visits: { [field]: markOf(mark, DAY, 0.25) } }, now);

describe('seenVisitor, which recognises repeated visits,', () => {
  it('does not call a visitor’s first click a repeat of itself', () => {
    const own = markOf(at('12:00:00.000'), DAY, 0.5);
    expect(seenVisitor({ day: DAY, field, own, visits: { [field]: own } }, at('12:00:00.000'))).toEqual({
      isRepeat: false,
    });
  });

  it.each([
    ['in the same millisecond', '12:00:00.000', true],
    ['100 ms before it', '11:59:59.900', true],
    ['in the last millisecond of an hour after it', '12:59:59.999', true],
    ['an hour after it', '13:00:00.000', false],
    ['in the evening', '23:59:59.999', false],
    ['in the morning, by a clock that was set back', '08:00:00.000', false],
  ])('decides whether a click is a repeat if the visitor’s first click was at noon: %s', (_, time, isRepeat) => {
    const now = at(time);
    expect(after(at('12:00:00.000'), now)).toEqual(isRepeat ? { isRepeat } : { isRepeat, mark: markOf(now, DAY, 0.5) });
  });

  it.each([
    ['within the hour', '23:30:00.001', '00:30:00.000', true],
    ['after the hour', '23:30:00.000', '00:30:00.000', false],
  ])('decides whether a click after midnight is a repeat of one before midnight: %s', (_, earlier, time, isRepeat) => {
    const now = at(time, NEXT);
    const own = markOf(now, NEXT, 0.5);
    const before = { day: DAY, field: 'vother', visits: { vother: markOf(at(earlier), DAY, 0.5) } };
    const seen = seenVisitor({ day: NEXT, field, own, visits: { [field]: own }, before }, now);
    expect(seen.isRepeat).toBe(isRepeat);
    expect(seen.mark).toBe(isRepeat ? markOf(at(earlier), NEXT, 0.5) : undefined);
  });

  it('calls clicks repeats until an hour after the first click, even if the first click was before midnight', () => {
    const mark = markOf(at('23:50:00.000'), NEXT, 0.5);
    const seenAt = (time: string) => {
      const now = at(time, NEXT);
      return seenVisitor({ day: NEXT, field, own: markOf(now, NEXT, 0.1), visits: { [field]: mark } }, now).isRepeat;
    };
    expect([seenAt('00:49:59.999'), seenAt('00:50:00.000')]).toEqual([true, false]);
  });

  it('ignores clicks of other visitors on the day before', () => {
    const now = at('00:10:00.000', NEXT);
    const own = markOf(now, NEXT, 0.5);
    const before = { day: DAY, field: 'vnobody', visits: { vother: markOf(at('23:50:00.000'), DAY, 0.5) } };
    expect(seenVisitor({ day: NEXT, field, own, visits: { [field]: own }, before }, now)).toEqual({ isRepeat: false });
  });
});

const marks = (count: number): Visits =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`v${String(n).padStart(6, '0')}`, n]));
const minutes = (count: number): Visits => Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, 1]));

describe('spareFields, which lists the fields to delete so that a visitor item stays small,', () => {
  it.each([
    ['nothing', {}, 0],
    ['the maximum', { ...marks(MOST_MARKS), ...minutes(MOST_MINUTES), pk: 'x', expires_at: 7 }, 0],
    ['one extra mark', marks(MOST_MARKS + 1), 15],
    ['one extra minute', minutes(MOST_MINUTES + 1), 20],
  ])('lists no field up to the maximum, and a batch of fields above it, for an item with %s', (_, visits, count) => {
    expect(spareFields(visits, ['v000000', 'm0'])).toHaveLength(count);
  });

  it('lists the oldest clicks first', () => {
    expect(spareFields(marks(MOST_MARKS + 1), ['v000000'])).toEqual(
      Array.from({ length: 15 }, (_, n) => `v${String(n + 1).padStart(6, '0')}`),
    );
  });
});

it('every click of a day gets a minute from 0 to 1439, and its mark in the visitor item is a safe integer', () => {
  expect(minuteField(at('00:00:59.999'), DAY)).toBe('m0');
  expect(minuteField(at('23:59:59.999'), DAY)).toBe('m1439');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_399_999 }), fc.double({ min: 0, max: 1, noNaN: true }), (ms, tie) => {
      const mark = markOf(new Date(Date.parse(DAY) + ms), DAY, tie);
      expect(Number.isSafeInteger(mark) && mark >= 0).toBe(true);
    }),
  );
});
