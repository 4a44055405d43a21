/** The distance between two marks of an axis is one of these numbers times a power of ten. */
const STEPS = [1, 2, 5, 10] as const;
const MOST_TICKS = 5;
/** The axis of counts has at least this maximum, because marks below it would be fractions. */
const LEAST_MAXIMUM = 4;

/**
 * Returns the values that an axis marks, evenly spaced and in order. The first mark is not above the lowest value, and
 * the last one not below the highest.
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
