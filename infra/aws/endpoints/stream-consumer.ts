import { Duration, Validations } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  FilterCriteria,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { RecordFilter } from '#lib/service/ground/config/table-definition.ts';

/**
 * How long a record is retried. The stream keeps records for 24 hours, so this leaves time to move an unprocessed
 * record to the queue.
 */
const LONGEST_RETRY = Duration.hours(23);
/**
 * The number of retries is unlimited, because a function that fails at once would use up any number within minutes.
 * Only the age of a record ends its retries.
 */
const UNLIMITED = -1;

/**
 * The length of Lambda's tumbling window. A window is set only for the shard's name, see below; its side effect is one
 * more call at the end of each window, so the window is as long as possible.
 */
const LONGEST_WINDOW = Duration.minutes(15);

export interface StreamConsumerProps {
  readonly table: ITableV2;
  readonly consumer: LambdaFunction;
  readonly batchSize: number;
  readonly batchWindow: Duration;
  /** The consumer receives records that match any of these filters. */
  readonly records: readonly RecordFilter[];
}

/**
 * Feeds the table's stream records to a function. If the function fails on a record, the record is delivered again
 * until it is too old, and later records of its shard wait. A record that became too old is put into a queue. An
 * invalid record delays no others, because the function skips it.
 */
export class StreamConsumer extends Construct {
  readonly consumer: LambdaFunction;
  /** Records that the function could not process before they were too old. */
  readonly unprocessed: Queue;

  constructor(scope: Construct, id: string, props: StreamConsumerProps) {
    super(scope, id);
    const { table, consumer, batchSize, batchWindow, records } = props;
    const unprocessed = new Queue(this, 'Uncounted', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.consumer = consumer;
    this.unprocessed = unprocessed;
    Validations.of(unprocessed).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is itself the last stop of records that could not be dealt with.',
    });
    consumer.addToRolePolicy(
      new PolicyStatement({
        actions: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((name) => `dynamodb:${name}`),
        resources: [table.tableStreamArn!],
      }),
    );
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: consumer,
      eventSourceArn: table.tableStreamArn!,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize,
      maxBatchingWindow: batchWindow,
      // Only one run at a time processes a shard. Lambda passes the shard's name to the function only if a window is
      // set.
      parallelizationFactor: 1,
      tumblingWindow: LONGEST_WINDOW,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: UNLIMITED,
      maxRecordAge: LONGEST_RETRY,
      onFailure: new SqsDlq(unprocessed),
      // Without filters, the function's own writes to counters, and every write of a rate window, would invoke it
      // again.
      filters: records.map((filter) => FilterCriteria.filter(patternOf(filter))),
    });
    // Lambda checks the permissions when the mapping is created, so the role's policies must exist before.
    mapping.node.addDependency(consumer.role!);
  }
}

const patternOf = ({ whole, prefixes, status, isWritten }: RecordFilter) => ({
  ...(isWritten && { eventName: ['INSERT', 'MODIFY'] }),
  dynamodb: {
    Keys: { sk: { S: [...whole, ...prefixes.map((prefix) => ({ prefix }))] } },
    ...(status !== undefined && { NewImage: { status: { S: [status] } } }),
  },
});
