import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { Table } from '#lib/service/ground/table/table.ts';
import { countEvents } from '#lib/service/reports/counting/count-events.ts';
import { type Items, simulatedClient, type Taken } from '#test/support/table/simulated-table.ts';
import { DAY, type Drawn, drawing, LINKS, PROGRAMS, type Rate } from '#test/bench/support/tables/large-day.ts';

/** How stream records are delivered to the function that counts them. */
export interface Delivery {
  /** Number of shards. Each delivers its own batches. A table has one shard per thousand write units per second. */
  readonly shards: number;
  readonly batchWindowSeconds: number;
  /** The maximum number of records in a batch. */
  readonly batchSize: number;
}

/** What counters cost, in units of the table. */
export interface CounterLoad {
  readonly recordsOfABatch: number;
  readonly unitsOfAnEvent: number;
  readonly readUnitsOfAnEvent: number;
  /** Write units per second, by name of the item. */
  readonly unitsByItem: ReadonlyMap<string, number>;
}

const BATCHES = 40;
const NOW = new Date('2026-11-20T15:00:00.000Z');
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Draws clicks, lets the service's own code count them in a table in memory, and sums up what that cost. */
export async function counterLoad(
  rate: Rate,
  { shards, batchWindowSeconds, batchSize }: Delivery,
): Promise<CounterLoad> {
  const perSecond = rate.first + rate.others;
  const recordsOfABatch = Math.max(1, Math.min(batchSize, Math.round((perSecond * batchWindowSeconds) / shards)));
  const batchesASecond = perSecond / recordsOfABatch;
  const draw = drawing(rate);
  const items: Items = new Map();
  const taken: Taken = { read: 0, write: new Map() };
  const table = new Table(simulatedClient(items, { taken }), 'table', NOW);
  let place = 10n ** 27n;
  for (let batch = 0; batch < BATCHES; batch++) {
    const records = Array.from({ length: recordsOfABatch }, () => clickRecord(draw(), String(++place)));
    const shardId = `shardId-00000001795272781000-${String(batch % shards).padStart(8, '0')}`;
    await countEvents({ table, log: silent, now: NOW }, { shardId, records });
  }
  const records = BATCHES * recordsOfABatch;
  const written = [...taken.write.values()].reduce((sum, units) => sum + units, 0);
  return {
    recordsOfABatch,
    unitsOfAnEvent: written / records + (UNITS_OF_MOVES + UNITS_OF_CUSTOMERS) / EVENTS,
    readUnitsOfAnEvent: taken.read / records + UNITS_OF_CUSTOMERS / EVENTS,
    unitsByItem: new Map([...taken.write].map(([item, units]) => [item, (units / BATCHES) * batchesASecond])),
  };
}

const EVENTS = DAY.click + DAY.lead + DAY.sale;

/**
 * Units per day for moving counts of minutes and days to separate items, which the drawn batches are too few to show. A
 * program's item is moved after about 27 minutes with events; that of a partner or link after about 40 days' fields, of
 * which an active one gets three a day. A move takes 10 units.
 */
const UNITS_OF_MOVES = 10 * (PROGRAMS * (1_440 / 27) + 2 * PROGRAMS * LINKS * (3 / 40));

/**
 * Units per day for the counters of customers. A sale and its commission arrive in one batch, for which one row of the
 * customer is read and written.
 */
const UNITS_OF_CUSTOMERS = DAY.sale;

function clickRecord({ program, link }: Drawn, SequenceNumber: string): DynamoDBRecord {
  const image = {
    pk: 'CUSTOMER#c',
    sk: 'CUSTOMER',
    programId: program,
    partnerId: program * 1_000 + link,
    shortLink: `${program}-${link}`,
    firstClickAt: NOW.toISOString(),
  };
  type Image = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;
  return { dynamodb: { SequenceNumber, NewImage: marshall(image) as Image } };
}
