import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type Deps, type LambdaContext, requestDeps } from '#lib/service/ground/effects/deps.ts';

/** What Lambda sends where the event source mapping has a tumbling window: only then it names the shard. */
interface ShardEvent extends DynamoDBStreamEvent {
  readonly shardId: string;
}

/** A response without `state` is a failure to Lambda, though nothing is kept in it. */
interface ShardResponse {
  readonly state: Record<string, never>;
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/** A Lambda function for the event source mapping. */
export type StreamHandler = (
  event: ShardEvent,
  context?: LambdaContext & { readonly awsRequestId?: string },
) => Promise<ShardResponse>;

type Consume = (
  deps: Deps,
  batch: { readonly shardId: string; readonly records: readonly DynamoDBRecord[] },
) => Promise<number>;

/**
 * Hands records of one shard of the table's stream to a use-case and reports the first one that it could not process;
 * they are delivered again from there.
 * @param consume returns how many of the records it has dealt with
 */
export const streamConsumer =
  (consume: Consume): StreamHandler =>
  async ({ Records: records, shardId }, context) => {
    if (!shardId) throw new Error('The event names no shard: the event source mapping needs a tumbling window');
    const deps = requestDeps(timeOf(records), context?.awsRequestId ?? '', context);
    const done = await consume(deps, { shardId, records });
    const failed = records[done]?.dynamodb?.SequenceNumber;
    return { state: {}, batchItemFailures: failed === undefined ? [] : [{ itemIdentifier: failed }] };
  };

/** A batch's time is that of its latest record. */
const timeOf = (records: readonly DynamoDBRecord[]): Date =>
  new Date(1_000 * Math.max(0, ...records.map(({ dynamodb }) => dynamodb?.ApproximateCreationDateTime ?? 0)));
