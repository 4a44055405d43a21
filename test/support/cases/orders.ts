/** All permutations. */
export const ordersOf = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((first, at) => ordersOf(all.toSpliced(at, 1)).map((rest) => [first, ...rest]));

/** All orders of a list in which each element occurs twice. Swapping two equal elements makes no new order. */
export function ordersOfTwice<T>(all: readonly T[]): T[][] {
  const continued = (left: readonly number[]): T[][] =>
    left.every((count) => count === 0)
      ? [[]]
      : all.flatMap((one, at) =>
          left[at] === 0 ? [] : continued(left.with(at, left[at]! - 1)).map((rest) => [one, ...rest]),
        );
  return continued(all.map(() => 2));
}
