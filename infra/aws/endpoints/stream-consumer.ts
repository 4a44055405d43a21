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
 * The longest time that a record is retried: just under the stream's retention of 24 hours, so that a record that was
 * never counted is moved to the queue in time.
 */
const LONGEST_RETRY = Duration.hours(23);
/**
 * The number of retries is unlimited, because immediate failures would use up any number within minutes. Only the age
 * of a record limits them.
 */
const UNLIMITED = -1;

/** The window's only effect is an additional call that Lambda makes at the end of each window. */
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
 * Feeds the table's stream records to a function. Records that it could not process are delivered again, in order and
 * before all later ones of their shard, until they are too old; they then appear in a queue. An invalid record delays
 * no others, because the function skips it.
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
      // One run per shard, which receives the shard's name; Lambda passes it only if a window is set.
      parallelizationFactor: 1,
      tumblingWindow: LONGEST_WINDOW,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: UNLIMITED,
      maxRecordAge: LONGEST_RETRY,
      onFailure: new SqsDlq(unprocessed),
      // Without filters, every change of a rate window or of a counter would invoke the function again.
      filters: records.map((filter) => FilterCriteria.filter(patternOf(filter))),
    });
    // The mapping must be created after the role's policies, because Lambda then checks the permissions.
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
