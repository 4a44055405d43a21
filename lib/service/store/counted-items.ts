import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { type Countable, type CounterIncrement, incrementsOf } from '#lib/domain/counters.ts';
import { numberReading } from '#lib/service/store/numbers.ts';

type Item = Readonly<Record<string, unknown>>;
type Image = Parameters<typeof unmarshall>[0];

/** What an item of the table counts as; undefined for an item that is not counted. */
export function countableOf(item: Item): Countable | undefined {
  const kind = kindOf(String(item.sk));
  if (!kind) return undefined;
  // The first click is the customer's item.
  const createdAt = item.createdAt ?? item.firstClickAt;
  return { kind, item: { ...item, createdAt } } as unknown as Countable;
}

/** The kind of an item whose sort key is among the `countedSortKeys`. */
function kindOf(sk: string): Countable['kind'] | undefined {
  if (sk === 'CUSTOMER' || sk.startsWith('CLICK#')) return 'click';
  if (sk === 'LEAD') return 'lead';
  if (sk === 'SALE') return 'sale';
  if (sk === 'COMMISSION') return 'commission';
  return sk.startsWith('REFUND#') ? 'refund' : undefined;
}

/** A change of one item, as the table's stream reports it, and what it adds to the counters. */
export interface CountedChange {
  /** Unique in the stream, the same at every delivery. */
  readonly id: string;
  /** When the change was made, by the table's own clock; the same at every delivery. */
  readonly second: number;
  readonly programId: number;
  readonly after?: Countable;
  readonly increments: readonly CounterIncrement[];
}

/** @throws Error when the record's item is invalid */
export function countedChangeOf({ eventID: id = '', dynamodb }: DynamoDBRecord): CountedChange {
  const second = Math.floor(dynamodb?.ApproximateCreationDateTime ?? 0);
  const [before, after] = [dynamodb?.OldImage, dynamodb?.NewImage].map(
    (image) => image && countableOf(unmarshall(image as Image, numberReading)),
  );
  const increments = incrementsOf(before, after);
  const programId = Number((after ?? before)?.item.programId);
  if (increments.length > 0 && !Number.isInteger(programId)) throw new Error('A counted item is of no program');
  return { id, second, programId, after, increments };
}
