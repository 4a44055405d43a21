import { countNames, type NamedCounts } from '#lib/service/ground/counters/counter.ts';
import type { Counts } from '#lib/wire/reports/performance.ts';
import type { SnakeCase } from '#lib/wire/words/snake-case.ts';

/** All counts of a reply, by their names in the API. */
export const countsReply = (counts: NamedCounts): Counts =>
  Object.fromEntries(countNames.map((name) => [snakeCase(name), counts[name]])) as Counts;

const snakeCase = <Name extends string>(name: Name): SnakeCase<Name> =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as SnakeCase<Name>;
