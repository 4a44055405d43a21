import { describe, expect, it } from 'vitest';
import { consumers } from '#infra/routes.ts';
import { countedRecords } from '#lib/service/ground/config/table-definition.ts';
import { propertiesOf, statementsOf, templateWith } from '#test/infra/aws/synthesized.ts';

const template = templateWith();
const streamArn = { 'Fn::GetAtt': [expect.stringMatching(/^Table/), 'StreamArn'] };
const mappings = propertiesOf(template, 'AWS::Lambda::EventSourceMapping').filter(
  ({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][1] === 'StreamArn',
);
const mappingOf = (name: string) => mappings.find(({ FunctionName }) => functionOf(FunctionName.Ref) === name);
const functionOf = (id: string): string =>
  template.findResources('AWS::Lambda::Function')[id]!.Properties.Description.slice('functions/'.length, -'.ts'.length);
const mapping = mappingOf('stream/counters');
const queueArn = { 'Fn::GetAtt': [expect.stringMatching(/^StreamstreamcounterssourceUncounted/), 'Arn'] };

const outboxQueueArn = { 'Fn::GetAtt': [expect.stringMatching(/^StreamstreamoutboxsourceUncounted/), 'Arn'] };

describe('the table’s stream', () => {
  it('is read by the functions stream/counters and stream/outbox, as many as DynamoDB allows', () => {
    const names = mappings.map(({ FunctionName }) => functionOf(FunctionName.Ref));
    expect(names.toSorted()).toEqual(['stream/counters', 'stream/outbox']);
    expect(names.toSorted()).toEqual(consumers.map((consumer) => consumer.function).toSorted());
    for (const { EventSourceArn } of mappings) expect(EventSourceArn).toEqual(streamArn);
  });

  it.each([
    ['stream/counters', 1_000, 5],
    ['stream/outbox', 100, 1],
  ])(
    'is read by %s in batches. A batch that fails is halved until one record is left, which goes to a queue',
    (...row) => {
      const [name, BatchSize, MaximumBatchingWindowInSeconds] = row;
      const queue = name === 'stream/counters' ? queueArn : outboxQueueArn;
      expect(mappingOf(name)).toMatchObject({
        StartingPosition: 'TRIM_HORIZON',
        BatchSize,
        MaximumBatchingWindowInSeconds,
        ParallelizationFactor: 1,
        // Without a window, Lambda does not send the shard id.
        TumblingWindowInSeconds: 900,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: -1,
        MaximumRecordAgeInSeconds: 23 * 3_600,
        DestinationConfig: { OnFailure: { Destination: queue } },
      });
    },
  );

  it('sends to the function stream/counters only records of items that the counters count', () => {
    const patterns = mapping.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern));
    const { whole, prefixes } = countedRecords;
    const others = [...whole, ...prefixes.map((prefix) => ({ prefix }))];
    expect(patterns).toEqual([
      // Clicks that have expired are removed, which the consumer need not see.
      { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { sk: { S: ['CUSTOMER', { prefix: 'CLICK#' }] } } } },
      { dynamodb: { Keys: { sk: { S: others } } } },
    ]);
  });
});

it('every queue for stream records that failed is encrypted and requires encrypted connections', () => {
  const queues = template.findResources('AWS::SQS::Queue');
  const policies = propertiesOf(template, 'AWS::SQS::QueuePolicy');
  expect(policies.flatMap(({ Queues }) => Queues)).toEqual(Object.keys(queues).map((Ref) => ({ Ref })));
  for (const { Properties } of Object.values(queues)) expect(Properties.SqsManagedSseEnabled).toBe(true);
  for (const { PolicyDocument } of policies) {
    expect(PolicyDocument.Statement).toMatchObject([
      { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    ]);
  }
});

it('every queue for stream records that failed keeps them for two weeks', () => {
  const ofRecords = Object.entries(template.findResources('AWS::SQS::Queue')).filter(([id]) =>
    id.includes('Uncounted'),
  );
  expect(ofRecords.map(([, { Properties }]) => Properties.MessageRetentionPeriod)).toEqual([14 * 86_400, 14 * 86_400]);
});

it('the function stream/counters may read the stream, write counters and send to its queue, and nothing else', () => {
  expect(statementsOf(template, 'stream/counters')).toEqual([
    expect.objectContaining({ Action: ['logs:CreateLogStream', 'logs:PutLogEvents'] }),
    {
      Effect: 'Allow',
      Action: ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'],
      Resource: { 'Fn::GetAtt': [expect.stringMatching(/^Table/), 'Arn'] },
    },
    expect.objectContaining({ Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'] }),
    {
      Effect: 'Allow',
      Action: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((action) => `dynamodb:${action}`),
      Resource: streamArn,
    },
    {
      Effect: 'Allow',
      Action: ['sqs:SendMessage', 'sqs:GetQueueAttributes', 'sqs:GetQueueUrl'],
      Resource: queueArn,
    },
  ]);
});
