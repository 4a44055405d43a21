import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type Deps, type LambdaContext, requestDeps } from '#lib/service/deps.ts';

/** A function as the event source mapping calls it. */
export type StreamHandler = (
  event: DynamoDBStreamEvent,
  context?: LambdaContext & { readonly awsRequestId?: string },
) => Promise<DynamoDBBatchResponse>;

/**
 * Hands a batch of the table's stream to a use-case and reports the first record that it could not deal with; the
 * batch is delivered again from there.
 * @param consume answers how many records it is done with
 */
export const streamConsumer =
  (consume: (deps: Deps, records: readonly DynamoDBRecord[]) => Promise<number>): StreamHandler =>
  async ({ Records: records }, context) => {
    const done = await consume(requestDeps(timeOf(records), context?.awsRequestId ?? '', context), records);
    const failed = records[done]?.dynamodb?.SequenceNumber;
    return { batchItemFailures: failed === undefined ? [] : [{ itemIdentifier: failed }] };
  };

/** A batch's time is that of its latest record. */
const timeOf = (records: readonly DynamoDBRecord[]): Date =>
  new Date(1_000 * Math.max(0, ...records.map(({ dynamodb }) => dynamodb?.ApproximateCreationDateTime ?? 0)));
