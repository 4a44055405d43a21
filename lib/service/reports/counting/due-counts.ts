import type { DynamoDBRecord } from 'aws-lambda';
import { clickOf, type Countable, firstClicksOf, incrementsOf } from '#lib/service/reports/counting/counters.ts';
import {
  type Counter,
  type CounterIncrement,
  counterId,
  type Counts,
  type FirstClicksChange,
} from '#lib/service/ground/counters/counter.ts';
import type { Log } from '#lib/service/ground/effects/log.ts';
import { countableOf } from '#lib/service/reports/counting/countable.ts';
import { itemOfImage } from '#lib/service/ground/table/stream-image.ts';
import { MOST_FIELDS } from '#lib/service/ground/counters/counters-items.ts';

/** What one stream record adds to one counter. */
export interface Share {
  readonly index: number;
  /** Sequence number of the record in the shard. */
  readonly position: string;
  readonly counts: Counts;
  readonly clickedAt?: string;
  readonly firstClicks?: FirstClicksChange;
}

/** What the records of a batch add to one counter, in the order of the records. */
export interface Due {
  readonly counter: Counter;
  readonly shares: readonly Share[];
}

/** The sequence number of a record in its shard. */
export const positionOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

/**
 * Groups the increments of a batch of records by counter. A record that appears twice in the batch counts once. An invalid
 * record is skipped, because it would be invalid again when it is delivered again, and must not delay other records.
 */
export function dueOf(log: Log, records: readonly DynamoDBRecord[]): Due[] {
  const due = new Map<string, { counter: Counter; shares: Share[] }>();
  const seen = new Set<string>();
  for (const [index, record] of records.entries()) {
    const position = positionOf(record);
    if (seen.has(position)) continue;
    seen.add(position);
    try {
      const { increments, after, firstClicks } = changeOf(record);
      const click = clickOf(after);
      for (const { counter, counts } of increments) {
        const id = counterId(counter);
        const ofCounter = due.get(id) ?? { counter, shares: [] };
        due.set(id, ofCounter);
        const isOf = (of: { readonly shortLink: string } | undefined) =>
          counter.of === 'link' && of?.shortLink === counter.shortLink;
        ofCounter.shares.push({
          index,
          position,
          counts,
          ...(isOf(click) && { clickedAt: click?.at }),
          ...(isOf(firstClicks) && { firstClicks }),
        });
      }
    } catch (error) {
      log.error('record_uncounted', error, { sequence_number: position });
    }
  }
  return [...due.values()];
}

/**
 * Adds up the first shares, as many as fit into one update: the number of its fields is limited, and all sums must be
 * safe integers. The first share is always included.
 */
export function sumOf(shares: readonly Share[]): { counts: Counts; taken: number } {
  let counts: Counts = {};
  for (const [taken, share] of shares.entries()) {
    const more = { ...counts };
    for (const [field, count] of Object.entries(share.counts)) more[field] = (more[field] ?? 0) + count;
    const fits = Object.keys(more).length <= MOST_FIELDS && Object.values(more).every(Number.isSafeInteger);
    if (taken > 0 && !fits) return { counts, taken };
    counts = more;
  }
  return { counts, taken: shares.length };
}

/** What a stream record contains and changes: the item after its change, and what must be added to the counters. */
interface CountedChange {
  readonly after?: Countable;
  readonly increments: readonly CounterIncrement[];
  readonly firstClicks?: FirstClicksChange;
}

/** Interprets a stream record. @throws Error if the record's item is invalid */
function changeOf({ dynamodb }: DynamoDBRecord): CountedChange {
  const [before, after] = [dynamodb?.OldImage, dynamodb?.NewImage].map(
    (image) => image && countableOf(itemOfImage(image)),
  );
  // A click that has expired is still counted.
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
