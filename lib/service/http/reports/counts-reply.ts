import { countNames, type NamedCounts } from '#lib/service/ground/counters/counter.ts';
import type { Counts } from '#lib/wire/reports/performance.ts';
import { snakeCase } from '#lib/wire/words/snake-case.ts';

/** All counts of a reply, by their names in the API. */
export const countsReply = (counts: NamedCounts): Counts =>
  Object.fromEntries(countNames.map((name) => [snakeCase(name), counts[name]])) as Counts;
