import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type Deps, type LambdaContext, requestDeps } from '#lib/service/ground/effects/deps.ts';

/**
 * The event that Lambda sends for an event source mapping with a tumbling window. Only with such a window does the
 * event name the shard.
 */
interface ShardEvent extends DynamoDBStreamEvent {
  readonly shardId: string;
}

/** The response to Lambda. `state` is not used, but Lambda treats a response without it as a failure. */
interface ShardResponse {
  readonly state: Record<string, never>;
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/** A Lambda function that receives the records of the table's stream. */
export type StreamHandler = (
  event: ShardEvent,
  context?: LambdaContext & { readonly awsRequestId?: string },
) => Promise<ShardResponse>;

type Consume = (
  deps: Deps,
  batch: { readonly shardId: string; readonly records: readonly DynamoDBRecord[] },
) => Promise<number>;

/**
 * Passes the records of one shard of the table's stream to an action, and reports the first record that the action
 * could not process. From this record on, Lambda delivers the records again.
 * @param consume returns the number of records that it has processed
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

/** Returns the time of a batch, which is that of its latest record. */
const timeOf = (records: readonly DynamoDBRecord[]): Date =>
  new Date(1_000 * Math.max(0, ...records.map(({ dynamodb }) => dynamodb?.ApproximateCreationDateTime ?? 0)));
