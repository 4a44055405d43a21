import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Consumer, type Positions, startPump } from '#infra/local/stream/stream-pump.ts';
import { clickRecords, countedRecords, factRecords } from '#lib/service/ground/config/table-definition.ts';
import type { StreamHandler } from '#lib/service/http/triggers/stream-consumer.ts';

const record = (number: number, sk = 'SALE'): DynamoDBRecord => ({
  eventID: String(number),
  dynamodb: { SequenceNumber: String(number), Keys: { pk: { S: 'x' }, sk: { S: sk } } },
});
const numbers = (records: readonly DynamoDBRecord[]) => records.map(({ eventID }) => Number(eventID));

/** A one-shard stream that returns these pages. */
function streamOf(...pages: DynamoDBRecord[][]) {
  const opened: (string | undefined)[] = [];
  const left = [...pages];
  return {
    opened,
    stream: {
      shardIds: async () => ['shard'],
      open: async (_: string, after: string | undefined) => {
        opened.push(after);
        return { next: async () => left.shift() ?? [] };
      },
    },
  };
}

let positions: Positions & { at?: string };
const deliveries: number[][] = [];
let endPump: (() => Promise<void>) | undefined;

type Done = (records: readonly number[]) => number;

/** A handler that processes as many records as `doneWith` allows. @param received lists the batches it gets */
const handlerOf =
  (received: number[][], doneWith: Done): StreamHandler =>
  async ({ shardId, Records }) => {
    expect(shardId).toBe('shard');
    received.push(numbers(Records));
    const failed = Records[doneWith(numbers(Records))];
    return { state: {}, batchItemFailures: failed ? [{ itemIdentifier: failed.dynamodb!.SequenceNumber! }] : [] };
  };

function pump(stream: ReturnType<typeof streamOf>['stream'], doneWith: Done, ...others: readonly Consumer[]) {
  const counters = { handler: handlerOf(deliveries, doneWith), batchSize: 3, records: [clickRecords, countedRecords] };
  endPump = startPump({ stream, positions, consumers: [counters, ...others] });
}
const reached = (position: number) => vi.waitFor(() => expect(positions.at).toBe(String(position)), { timeout: 5_000 });

beforeEach(() => {
  deliveries.length = 0;
  positions = {
    find: async () => positions.at,
    keep: async (_, number) => {
      positions.at = number;
    },
  };
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(async () => {
  await endPump?.();
  vi.restoreAllMocks();
});

it('the local stream delivers only the records that its consumer counts, in batches, and stores its position', async () => {
  const { stream, opened } = streamOf(
    [record(1), record(2, 'WINDOW#x'), record(3, 'LEAD'), record(4, 'CLICK#1'), record(5, 'REFUND#1')],
    [record(6, 'MONTH#2026-11')],
    [record(7, 'CUSTOMER')],
  );
  pump(stream, (batch) => batch.length);
  await reached(7);
  expect(opened).toEqual([undefined]);
  expect(deliveries).toEqual([[1, 3, 4], [5], [7]]);
});

describe('the local stream with two consumers', () => {
  const received: number[][] = [];
  const outbox = (doneWith: Done): Consumer => ({
    handler: handlerOf(received, doneWith),
    batchSize: 2,
    records: [clickRecords, factRecords],
  });
  beforeEach(() => {
    received.length = 0;
  });

  it('is read once; each consumer gets the kinds of records that it needs, in batches of the size that it declares', async () => {
    const { stream, opened } = streamOf([record(1), record(2, 'PROGRAM'), record(3, 'PROBE'), record(4), record(5)]);
    pump(
      stream,
      (batch) => batch.length,
      outbox((batch) => batch.length),
    );
    await reached(5);
    expect(opened).toEqual([undefined]);
    expect(deliveries).toEqual([[1, 3, 4], [5]]);
    expect(received).toEqual([
      [1, 2],
      [4, 5],
    ]);
  });

  it('delivers a batch again only to the consumer that failed', async () => {
    const { stream } = streamOf([record(1), record(2)]);
    pump(
      stream,
      (batch) => batch.length,
      outbox((batch) => (received.length === 1 ? 1 : batch.length)),
    );
    await reached(2);
    expect(deliveries).toEqual([[1, 2]]);
    expect(received).toEqual([[1, 2], [2]]);
  });

  it('stores no position while a consumer fails, and skips a record after repeated failures', async () => {
    const { stream } = streamOf([record(1), record(2)]);
    const kept: (string | undefined)[] = [];
    pump(
      stream,
      (batch) => batch.length,
      outbox((batch) => {
        kept.push(positions.at);
        return batch.includes(1) ? 0 : batch.length;
      }),
    );
    await reached(2);
    expect(kept).toEqual(Array.from({ length: 11 }, () => undefined));
    expect(received.at(-1)).toEqual([2]);
    expect(deliveries).toEqual([[1, 2]]);
  });
});

it('the local stream continues after the position that is stored', async () => {
  positions.at = '6';
  const { stream, opened } = streamOf([record(7)]);
  pump(stream, (batch) => batch.length);
  await reached(7);
  expect(opened).toEqual(['6']);
});

describe('if the consumer of the local stream processes only a part of a batch', () => {
  it('the batch is delivered again from the record that failed', async () => {
    const { stream } = streamOf([record(1), record(2), record(3)]);
    pump(stream, (batch) => (deliveries.length === 1 ? 1 : batch.length));
    await reached(3);
    expect(deliveries).toEqual([
      [1, 2, 3],
      [2, 3],
    ]);
  });

  it('the stream skips the record after repeated failures, and prints its keys', async () => {
    const { stream } = streamOf([record(1), record(2), record(3)]);
    pump(stream, (batch) => (batch.includes(2) ? batch.indexOf(2) : batch.length));
    await reached(3);
    expect(deliveries.at(-1)).toEqual([3]);
    expect(console.error).toHaveBeenCalledWith(
      'A consumer of the stream does not take a change:',
      record(2).dynamodb?.Keys,
    );
  });
});

it('the local stream is read again from the same position after the connection is lost', async () => {
  const { stream, opened } = streamOf([record(1)], [record(2)]);
  const { open } = stream;
  let reads = 0;
  stream.open = async (shardId, after) => {
    const { next } = await open(shardId, after);
    return { next: () => (++reads === 2 ? Promise.reject(new Error('gone')) : next()) };
  };
  pump(stream, (batch) => batch.length);
  await reached(2);
  expect(opened).toEqual([undefined, '1']);
});

it('the local stream, when stopped before its first delivery, delivers nothing', async () => {
  const { stream } = streamOf();
  pump(stream, (batch) => batch.length);
  await endPump?.();
  expect(deliveries).toEqual([]);
});
