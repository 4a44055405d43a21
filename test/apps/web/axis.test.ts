import { array, assert, integer, property } from 'fast-check';
import { expect, it } from 'vitest';
import { ticksFor } from '#lib/apps/web/parts/figures/axis.ts';

it.each([
  [[], [0, 1, 2, 3, 4]],
  [
    [0, 1],
    [0, 1, 2, 3, 4],
  ],
  [
    [0, 51],
    [0, 20, 40, 60],
  ],
  [
    [0, 1_527],
    [0, 500, 1_000, 1_500, 2_000],
  ],
  [
    [-40, 90],
    [-50, 0, 50, 100],
  ],
  [[-3], [-4, -2, 0, 2, 4]],
])('the axis of a chart with the values %j has marks at %j', (values, ticks) => {
  expect(ticksFor(values)).toEqual(ticks);
});

it('the axis of a chart includes all values and zero, and has two to seven marks at equal distances', () => {
  assert(
    property(array(integer({ min: -1e12, max: 1e12 })), (values) => {
      const ticks = ticksFor(values);
      expect(ticks).toContain(0);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(8);
      for (const value of values) {
        expect(ticks[0]).toBeLessThanOrEqual(value);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(value);
      }
    }),
  );
});
