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

/** Shortly before the stream forgets a record, so that one that was never counted is named in the queue. */
const LONGEST_RETRY = Duration.hours(23);
/** Only the age limits retries: immediate failures would use up any number within minutes. */
const UNLIMITED = -1;

/** A window ends with a call of its own; nothing else depends on it. */
const LONGEST_WINDOW = Duration.minutes(15);

export interface StreamConsumerProps {
  readonly table: ITableV2;
  readonly consumer: LambdaFunction;
  readonly batchSize: number;
  readonly batchWindow: Duration;
  /** It gets those that one of them names. */
  readonly records: readonly RecordFilter[];
}

/**
 * Feeds records of the table's stream to a function. Those that it could not deal with are delivered again, in their
 * order and before all later ones of their shard; when they are too old, they are listed in a queue. A record that makes
 * no sense delays no other: the function gives it up.
 */
export class StreamConsumer extends Construct {
  readonly consumer: LambdaFunction;
  /** Records that the function could not deal with until they were too old. */
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
      // One run per shard, told the shard's name, which Lambda does only where a window is set.
      parallelizationFactor: 1,
      tumblingWindow: LONGEST_WINDOW,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: UNLIMITED,
      maxRecordAge: LONGEST_RETRY,
      onFailure: new SqsDlq(unprocessed),
      // Else every rate window and every written counter would call the function again.
      filters: records.map((filter) => FilterCriteria.filter({ dynamodb: patternOf(filter) })),
    });
    // Lambda checks the permissions when the mapping is made.
    mapping.node.addDependency(consumer.role!);
  }
}

const patternOf = ({ whole, prefixes, status }: RecordFilter) => ({
  Keys: { sk: { S: [...whole, ...prefixes.map((prefix) => ({ prefix }))] } },
  ...(status !== undefined && { NewImage: { status: { S: [status] } } }),
});
