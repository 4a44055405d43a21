import type { DynamoDBRecord } from 'aws-lambda';
import { type Countable, firstClicksOf, incrementsOf } from '#lib/service/reports/counting/counters.ts';
import type { CounterIncrement, FirstClicksChange } from '#lib/service/ground/counters/counter.ts';
import { countableOf } from '#lib/service/reports/counting/countable.ts';
import { itemOfImage } from '#lib/service/ground/table/stream-image.ts';

/** A stream record as an item after its change, and the increments that the change adds to the counters. */
export interface CountedChange {
  readonly after?: Countable;
  readonly increments: readonly CounterIncrement[];
  readonly firstClicks?: FirstClicksChange;
}

/** Interprets a stream record. @throws Error if the record's item is invalid */
export function changeOf({ dynamodb }: DynamoDBRecord): CountedChange {
  const [before, after] = [dynamodb?.OldImage, dynamodb?.NewImage].map(
    (image) => image && countableOf(itemOfImage(image)),
  );
  // A click that has expired stays counted.
  if (before?.kind === 'click' && !after) return { increments: [] };
  const increments = incrementsOf(before, after);
  for (const { counter, counts } of increments) {
    if ('programId' in counter && !Number.isInteger(counter.programId))
      throw new Error('A counted item is of no program');
    for (const [field, count] of Object.entries(counts)) {
      if (!Number.isSafeInteger(count)) throw new Error(`A counted item has no valid number for ${field}`);
    }
  }
  return { after, increments, firstClicks: firstClicksOf(before, after) };
}
