import type { DynamoDBRecord } from 'aws-lambda';
import { clickOf } from '#lib/service/reports/counting/counters.ts';
import { type Counter, counterId, type Counts, type FirstClicksChange } from '#lib/service/ground/counters/counter.ts';
import type { Log } from '#lib/service/ground/effects/log.ts';
import { changeOf } from '#lib/service/reports/counting/counted-items.ts';
import { MOST_FIELDS } from '#lib/service/ground/counters/counters-items.ts';

/** What one record adds to one counter. */
export interface Share {
  /** The record's place in the batch. */
  readonly index: number;
  /** The record's place in the shard. */
  readonly position: string;
  readonly counts: Counts;
  readonly clickedAt?: string;
  readonly firstClicks?: FirstClicksChange;
}

/** What a batch adds to one counter, in the order of its records. */
export interface Due {
  readonly counter: Counter;
  readonly shares: readonly Share[];
}

/** The record's place in its shard. */
export const positionOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

/**
 * By counter. A record that stands in the batch twice counts once. One that makes no sense is given up: no later delivery would help it, and it must
 * not delay others.
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

/** The sum of the first shares, as many as fit into one update. A larger sum than a number holds is up to the table. */
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
