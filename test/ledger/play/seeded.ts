/** Returns functions that make random choices (mulberry32). The same seed gives the same choices. */
export function seeded(seed: number) {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  /** Returns a random integer from 0 to `end` - 1. */
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    chance: (share: number): boolean => next() < share,
    of: <T>(options: readonly T[]): T => options[below(options.length)]!,
    between: (least: number, most: number): number => least + below(most - least + 1),
  };
}

export type Seeded = ReturnType<typeof seeded>;
