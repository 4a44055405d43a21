import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { type Countable, firstClicksOf, incrementsOf } from '#lib/service/reports/counting/counters.ts';
import type { CounterIncrement, FirstClicksChange } from '#lib/service/ground/counters/counter.ts';
import { type Customer, partnerOfClick } from '#lib/service/traffic/customers/customer.ts';
import { numberReading } from '#lib/service/ground/table/numbers.ts';

type Item = Readonly<Record<string, unknown>>;
type Image = Parameters<typeof unmarshall>[0];

/** The countable form of a table item; undefined for an item that is not counted. */
export function countableOf(item: Item): Countable | undefined {
  const kind = kindOf(String(item.sk));
  if (!kind) return undefined;
  if (item.sk === 'CUSTOMER') return firstClickOf(item as unknown as Customer);
  return { kind, item } as unknown as Countable;
}

/** The customer's item is also its first click. A customer created by a payment has none. */
const firstClickOf = (customer: Customer): Countable | undefined =>
  customer.source !== undefined
    ? undefined
    : ({
        kind: 'click',
        item: { ...customer, partnerId: partnerOfClick(customer), createdAt: customer.firstClickAt },
      } as Countable);

/** The kind of an item whose sort key is among the `countedSortKeys`. */
function kindOf(sk: string): Countable['kind'] | undefined {
  if (sk === 'CUSTOMER' || sk.startsWith('CLICK#')) return 'click';
  if (sk === 'LEAD') return 'lead';
  if (sk === 'SALE') return 'sale';
  if (sk === 'COMMISSION') return 'commission';
  return sk.startsWith('REFUND#') ? 'refund' : undefined;
}

/** A stream record as an item after its change, and the increments that the change adds to the counters. */
export interface CountedChange {
  readonly after?: Countable;
  readonly increments: readonly CounterIncrement[];
  readonly firstClicks?: FirstClicksChange;
}

/** Interprets a stream record. @throws Error if the record's item is invalid */
export function changeOf({ dynamodb }: DynamoDBRecord): CountedChange {
  const [before, after] = [dynamodb?.OldImage, dynamodb?.NewImage].map(
    (image) => image && countableOf(unmarshall(image as Image, numberReading)),
  );
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
