import { hash } from 'node:crypto';

/** Random choices. The same seed always gives the same choices. */
export interface Chance {
  /** Returns a random integer from `least` to `most`, both inclusive. */
  readonly between: (least: number, most: number) => number;
  /** Returns true with the given probability, from 0 to 1. */
  readonly hits: (share: number) => boolean;
  readonly oneOf: <T>(choices: readonly T[]) => T;
  readonly shuffled: <T>(values: readonly T[]) => T[];
}

export function chanceOf(seed: string): Chance {
  let drawn = 0;
  /** Returns a random number from 0 to 1, without 1 itself. */
  const draw = () => hash('sha256', `${seed} ${drawn++}`, 'buffer').readUInt32BE() / 2 ** 32;
  const between = (least: number, most: number) => least + Math.floor(draw() * (most - least + 1));

  return {
    between,
    hits: (share) => draw() < share,
    oneOf: (choices) => choices[between(0, choices.length - 1)]!,
    shuffled: (values) =>
      values
        .map((value) => ({ value, place: draw() }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ value }) => value),
  };
}
