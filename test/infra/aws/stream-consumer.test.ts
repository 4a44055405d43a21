import { describe, expect, it } from 'vitest';
import { consumers } from '#infra/routes.ts';
import { countedRecords } from '#lib/service/config/table-definition.ts';
import { propertiesOf, statementsOf, templateWith } from '#test/infra/aws/synthesized.ts';

const template = templateWith();
const [mapping, ...otherMappings] = propertiesOf(template, 'AWS::Lambda::EventSourceMapping');
const streamArn = { 'Fn::GetAtt': [expect.stringMatching(/^Table/), 'StreamArn'] };
const queueArn = { 'Fn::GetAtt': [expect.stringMatching(/Uncounted/), 'Arn'] };

describe('the mapping of the stream', () => {
  it('is one, from the table to the function of the index', () => {
    expect(otherMappings).toEqual([]);
    expect(consumers.map((consumer) => consumer.function)).toEqual(['stream/counters', 'stream/mail']);
    const { Description } = template.findResources('AWS::Lambda::Function')[mapping.FunctionName.Ref]!.Properties;
    expect(Description).toBe('functions/stream/counters.ts');
    expect(mapping.EventSourceArn).toEqual(streamArn);
  });

  it('retries until a record is too old, however often, from the failed record on, and at last sends it to the queue', () => {
    expect(mapping).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 1_000,
      MaximumBatchingWindowInSeconds: 5,
      ParallelizationFactor: 1,
      // Without a window Lambda does not name the shard.
      TumblingWindowInSeconds: 900,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: -1,
      MaximumRecordAgeInSeconds: 23 * 3_600,
      DestinationConfig: { OnFailure: { Destination: queueArn } },
    });
  });

  it('hands over the items that are counted, and no others', () => {
    const [{ Pattern }, ...others] = mapping.FilterCriteria.Filters;
    expect(others).toEqual([]);
    const { whole, prefixes } = countedRecords;
    const patterns = [...whole, ...prefixes.map((prefix) => ({ prefix }))];
    expect(JSON.parse(Pattern)).toEqual({ dynamodb: { Keys: { sk: { S: patterns } } } });
  });
});

it('the queue is encrypted and takes only encrypted connections', () => {
  expect(propertiesOf(template, 'AWS::SQS::Queue')).toEqual([
    { SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 86_400 },
  ]);
  const [policy] = propertiesOf(template, 'AWS::SQS::QueuePolicy');
  expect(policy.PolicyDocument.Statement).toMatchObject([
    { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
  ]);
});

it('the function may read this stream, write these counters, send to this queue, and nothing else', () => {
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
