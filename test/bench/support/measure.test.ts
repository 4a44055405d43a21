import { expect, it } from 'vitest';
import { interleaved, ratios, spreadOf } from '#test/bench/support/measure.ts';

it.each([
  [[3], { median: 3, low: 3, high: 3 }],
  [[5, 1, 3], { median: 3, low: 2, high: 4 }],
  [[8, 1, 7, 2, 6, 3, 5, 4], { median: 4.5, low: 2.75, high: 6.25 }],
])('spreadOf gives for %j the median and the quartiles %j', (values, spread) => {
  expect(spreadOf(values)).toEqual(spread);
});

it('ratios divides two measurements round by round, and returns the median and the quartiles of the results', () => {
  expect(ratios([2, 30, 8], [1, 10, 2])).toEqual({ median: 3, low: 2.5, high: 3.5 });
});

it('interleaved runs its measurements in reverse order in every other round, and leaves out the first round’s results', async () => {
  const order: string[] = [];
  const measuring = (name: string) => async () => order.push(name);
  const measured = await interleaved(2, { a: measuring('a'), b: measuring('b') });
  expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
  expect(measured).toEqual({ a: [4, 5], b: [3, 6] });
});
