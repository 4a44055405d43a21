/** The steps of an axis are 1, 2 or 5 times a power of ten. */
const STEPS = [1, 2, 5, 10] as const;
const MOST_TICKS = 5;
/** With a lower maximum, the marks of counts would be fractions. */
const LEAST_MAXIMUM = 4;

/**
 * The marked values of an axis, in order and evenly spaced. The first is at most the lowest value, the last at least
 * the highest.
 */
export function ticksFor(values: readonly number[]): readonly number[] {
  const least = values.reduce((a, b) => Math.min(a, b), 0);
  const greatest = values.reduce((a, b) => Math.max(a, b), LEAST_MAXIMUM);
  const rough = (greatest - least) / (MOST_TICKS - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * STEPS.find((one) => one * power >= rough)!;
  const first = Math.floor(least / step);
  const last = Math.ceil(greatest / step);
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}
