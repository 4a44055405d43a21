import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { readAsSent } from '#infra/local/stream/stream-replies.ts';
import { withoutUnusedMiddleware } from '#lib/service/ground/effects/storage.ts';

/** Maximum number of records per read. The number is low, because other requests wait while the process reads them. */
export const PAGE_RECORDS = 200;

/** The change stream of a table. It consists of shards, which are read separately. */
export interface Stream {
  readonly shardIds: () => Promise<string[]>;
  /** Starts to read a shard: after the given record, or at the oldest record of the shard. */
  readonly open: (shardId: string, after: string | undefined) => Promise<ShardReader>;
}

interface ShardReader {
  /**
   * Returns the next records, oldest first. The list is empty if there are no new records yet; undefined at the shard's
   * end.
   */
  readonly next: () => Promise<DynamoDBRecord[] | undefined>;
}

/** Credentials for the local engine, which requires but does not verify them. */
const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

interface StreamSource {
  readonly endpoint: string;
  readonly region: string;
  /** Returns how far the service's clock is ahead of real time, in milliseconds; the engine's times are real. */
  readonly offsetMs?: () => number;
}

export function openStream(arn: string, { endpoint, region, offsetMs = () => 0 }: StreamSource): Stream {
  const isLocal = ['127.0.0.1', 'localhost'].includes(new URL(endpoint).hostname);
  const client = withoutUnusedMiddleware(
    new DynamoDBStreamsClient({ endpoint, region, ...(isLocal && { credentials: localCredentials }) }),
  );
  readAsSent(client);

  async function iteratorAfter(shardId: string, after: string | undefined): Promise<string | undefined> {
    const from =
      after === undefined
        ? ({ ShardIteratorType: 'TRIM_HORIZON' } as const)
        : ({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after } as const);
    const { ShardIterator } = await client.send(
      new GetShardIteratorCommand({ StreamArn: arn, ShardId: shardId, ...from }),
    );
    return ShardIterator;
  }

  async function open(shardId: string, after: string | undefined): Promise<ShardReader> {
    let iterator = await iteratorAfter(shardId, after).catch((error: Error) => {
      // The stream no longer contains the position, because the local run was stopped for too long. Reading continues
      // at the oldest record.
      if (error.name === 'TrimmedDataAccessException') return iteratorAfter(shardId, undefined);
      throw error;
    });
    return {
      async next() {
        if (iterator === undefined) return undefined;
        const { Records = [], NextShardIterator } = await client.send(
          new GetRecordsCommand({ ShardIterator: iterator, Limit: PAGE_RECORDS }),
        );
        iterator = NextShardIterator;
        return Records.map((record) => asLambdaSpells(record, arn, offsetMs()));
      },
    };
  }
  async function shardIds(): Promise<string[]> {
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: arn }));
    return (StreamDescription?.Shards ?? []).flatMap(({ ShardId }) => ShardId ?? []);
  }
  return { shardIds, open };
}

/** Converts a record to the form in which Lambda passes it: times are in seconds, and the record names its stream. */
const asLambdaSpells = ({ dynamodb, ...record }: StreamRecord, arn: string, offsetMs: number): DynamoDBRecord =>
  ({
    ...record,
    dynamodb: {
      ...dynamodb,
      ApproximateCreationDateTime: ((dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0) + offsetMs) / 1_000,
    },
    eventSourceARN: arn,
  }) as DynamoDBRecord;
