/** The median and the quartiles of measurements. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export const medianOf = (values: readonly number[]): number => quantile(values, 0.5);

export const p99Of = (values: readonly number[]): number => quantile(values, 0.99);

export const spreadOf = (values: readonly number[]): Spread => ({
  median: medianOf(values),
  low: quantile(values, 0.25),
  high: quantile(values, 0.75),
});

/** Returns a quantile. Between two values, it is their mean, weighted by the distances from them. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [before, after] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return before + (after - before) * (place % 1);
}

type Measured<Name extends string, Result> = Record<Name, Result[]>;

/**
 * Runs different measurements in turn, so that other load on the machine affects all of them equally. Every other round
 * has the reverse order. The first round is a warm-up, and its results are discarded.
 */
export async function interleaved<Name extends string, Result>(
  rounds: number,
  things: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Measured<Name, Result>> {
  const names = Object.keys(things) as Name[];
  const measured = Object.fromEntries(names.map((name) => [name, []])) as unknown as Measured<Name, Result>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await things[name]();
      if (round > 0) measured[name].push(result);
    }
  }
  return measured;
}

/** Divides measurements by other measurements of the same round. */
export const ratios = (these: readonly number[], toThose: readonly number[]): Spread =>
  spreadOf(these.map((value, round) => value / toThose[round]!));
