import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type Deps, type LambdaContext, requestDeps } from '#lib/service/deps.ts';

/** A Lambda function for the event source mapping. */
export type StreamHandler = (
  event: DynamoDBStreamEvent,
  context?: LambdaContext & { readonly awsRequestId?: string },
) => Promise<DynamoDBBatchResponse>;

/**
 * Hands a batch of the table's stream to a use-case and reports the first record that it could not process; the batch
 * is delivered again from there.
 * @param consume returns how many records it has processed
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
