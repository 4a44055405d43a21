import { type Counter, counterId, type CounterIncrement, withoutZeros } from '#lib/service/ground/counters/counter.ts';

/** Merges additions, so that each counter has only one. Zeros are left out. */
export function mergeIncrements(increments: Iterable<CounterIncrement>): CounterIncrement[] {
  const sum = incrementSum();
  sum.add(increments);
  return sum.increments();
}

/** Sums up any number of additions by counter. */
function incrementSum() {
  const sums = new Map<string, { counter: Counter; counts: Record<string, number> }>();
  return {
    add(increments: Iterable<CounterIncrement>): void {
      for (const { counter, counts } of increments) {
        const id = counterId(counter);
        const sum = sums.get(id) ?? { counter, counts: {} };
        sums.set(id, sum);
        for (const [field, by] of Object.entries(counts)) sum.counts[field] = (sum.counts[field] ?? 0) + by;
      }
    },
    /** The sums of all counters, without zeros. */
    increments: (): CounterIncrement[] =>
      [...sums.values()]
        .map(({ counter, counts }) => ({ counter, counts: withoutZeros(counts) }))
        .filter(({ counts }) => Object.keys(counts).length > 0),
  };
}
