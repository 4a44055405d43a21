import type { DynamoDBRecord } from 'aws-lambda';
import { setTimeout as pause } from 'node:timers/promises';
import { PAGE_RECORDS, type Stream } from '#infra/local/stream/stream-records.ts';
import { BATCH_WINDOW_SECONDS, type RecordFilter } from '#lib/service/ground/config/table-definition.ts';
import type { StreamHandler } from '#lib/service/http/triggers/stream-consumer.ts';

/** Pause between reads, if the last batch was small. It is short enough that an event is counted within a second. */
const GATHER_MS = 250;
/** A batch with at most this many records is small. */
const FEW_RECORDS = 20;
/**
 * After a larger batch, the pause is this many times as long as the batch took. Many records in one batch cost far less
 * than many batches, and during a long pause more records arrive.
 */
const PAUSES = 4;
const LONGEST_GATHER_MS = 1_000 * BATCH_WINDOW_SECONDS;
/** When this many records have been read, they are delivered without waiting for more. */
const MOST_GATHERED = 1_000;
const RETRY_MS = 200;
/** Interval between checks for new shards. */
const NEW_SHARDS_MS = 10_000;
/** How often a record is delivered at most to a consumer that fails on it. Afterwards the record is skipped. */
const MOST_DELIVERIES = 10;

/** Finds and stores, for each shard, the last record that all consumers have processed. */
export interface Positions {
  readonly find: (shardId: string) => Promise<string | undefined>;
  readonly keep: (shardId: string, sequenceNumber: string) => Promise<void>;
}

export interface Consumer {
  readonly handler: StreamHandler;
  readonly batchSize: number;
  /** The consumer receives records that match any of these filters. */
  readonly records: readonly RecordFilter[];
}

export interface PumpOptions {
  readonly stream: Stream;
  readonly positions: Positions;
  readonly consumers: readonly Consumer[];
}

/**
 * Delivers the records of a stream to consumers, as Lambda does. The stream is read once for all consumers: they work
 * on the same records in parallel, and the next records are read when every consumer has processed or skipped these.
 * @returns a function that stops the reading after the current batches
 */
export function startPump({ stream, positions, consumers }: PumpOptions): () => Promise<void> {
  const end = new AbortController();
  const { signal } = end;

  /** Waits, but returns at once if the pump is stopping. */
  const wait = (ms: number): Promise<unknown> => pause(ms, undefined, { signal }).catch(() => undefined);

  const isWanted = (record: DynamoDBRecord) => consumers.some((consumer) => wants(consumer, record));

  /** Reads one shard to its end. @throws Error if the connection fails */
  async function drain(shardId: string): Promise<void> {
    const shard = await stream.open(shardId, await positions.find(shardId));
    let gathered: DynamoDBRecord[] = [];
    while (!signal.aborted) {
      let gatherMs = GATHER_MS;
      const records = await shard.next();
      gathered.push(...(records ?? []).filter(isWanted));
      const isLast = !records || records.length < PAGE_RECORDS;
      if (gathered.length >= (isLast ? 1 : MOST_GATHERED)) {
        const startedAt = performance.now();
        await Promise.all(consumers.map((consumer) => deliverAll(consumer, shardId, gathered)));
        if (signal.aborted) return;
        await positions.keep(shardId, gathered.at(-1)!.dynamodb!.SequenceNumber!);
        const tookMs = performance.now() - startedAt;
        if (gathered.length > FEW_RECORDS) gatherMs = pauseAfter(tookMs);
        gathered = [];
      }
      if (!records) return;
      if (isLast) await wait(gatherMs);
    }
  }

  async function deliverAll(consumer: Consumer, shardId: string, records: readonly DynamoDBRecord[]): Promise<void> {
    const wanted = records.filter((record) => wants(consumer, record));
    for (let at = 0; at < wanted.length && !signal.aborted; at += consumer.batchSize) {
      await deliver(consumer.handler, shardId, wanted.slice(at, at + consumer.batchSize));
    }
  }

  /**
   * Delivers a batch until all of its records are processed or skipped. Each delivery starts at the first record that
   * failed.
   */
  async function deliver(handler: StreamHandler, shardId: string, batch: readonly DynamoDBRecord[]): Promise<void> {
    let left = batch;
    let deliveries = 0;
    while (left.length > 0 && !signal.aborted) {
      const failed = await firstFailed(handler, shardId, left);
      deliveries = failed > 0 ? 1 : deliveries + 1;
      left = left.slice(failed);
      if (left.length > 0 && deliveries >= MOST_DELIVERIES) {
        console.error('A consumer of the stream does not take a change:', left[0]!.dynamodb?.Keys);
        left = left.slice(1);
        deliveries = 0;
      } else if (left.length > 0) await wait(RETRY_MS);
    }
  }

  /** Reads one shard to its end. If the connection fails, it tries again. */
  async function follow(shardId: string): Promise<void> {
    while (!signal.aborted) {
      try {
        return await drain(shardId);
      } catch (error) {
        if (signal.aborted) return;
        console.error('The stream of changes cannot be read:', error);
        await wait(RETRY_MS);
      }
    }
  }

  async function run(): Promise<void> {
    const followed = new Map<string, Promise<void>>();
    while (!signal.aborted) {
      const shardIds = await stream.shardIds().catch(() => []);
      for (const shardId of shardIds) if (!followed.has(shardId)) followed.set(shardId, follow(shardId));
      await wait(shardIds.length === 0 ? RETRY_MS : NEW_SHARDS_MS);
    }
    await Promise.all(followed.values());
  }
  const ended = run();
  return async () => {
    end.abort();
    await ended;
  };
}

const pauseAfter = (tookMs: number): number => Math.min(Math.max(2 * GATHER_MS, PAUSES * tookMs), LONGEST_GATHER_MS);

/** Delivers records once. @returns the number of records before the first one that failed */
async function firstFailed(
  handler: StreamHandler,
  shardId: string,
  records: readonly DynamoDBRecord[],
): Promise<number> {
  try {
    const { batchItemFailures } = await handler({ shardId, Records: [...records] });
    const failures = batchItemFailures.map(({ itemIdentifier }) =>
      records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === itemIdentifier),
    );
    return Math.min(records.length, ...failures.map((at) => Math.max(at, 0)));
  } catch (error) {
    console.error('A consumer of the stream threw', error);
    return 0;
  }
}

const wants = ({ records }: Consumer, record: DynamoDBRecord): boolean =>
  records.some((filter) => isOf(filter, record));

/** Whether a filter matches a record. */
export function isOf(
  { whole, prefixes, status, isWritten }: RecordFilter,
  { eventName, dynamodb }: DynamoDBRecord,
): boolean {
  const sk = dynamodb?.Keys?.sk?.S ?? '';
  const isNamed = whole.includes(sk) || prefixes.some((prefix) => sk.startsWith(prefix));
  if (isWritten && eventName === 'REMOVE') return false;
  return isNamed && (status === undefined || dynamodb?.NewImage?.status?.S === status);
}
