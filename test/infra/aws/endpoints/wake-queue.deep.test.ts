import { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { settingsFrom } from '#infra/aws/settings.ts';
import { consumers, deliverer, schedules, type Use } from '#infra/routes.ts';
import {
  propertiesOf,
  serviceFunctions,
  statementsOf,
  synthesizedWith,
  templateWith,
} from '#test/infra/aws/synthesized.ts';

const { template } = synthesizedWith({ mailFrom: 'referrals@acme.test' });
const queues = template.findResources('AWS::SQS::Queue');
const [failedId, wakesId] = Object.keys(queues).filter((id) => id.startsWith('QueueWakes'));
const arnOf = (id: string | undefined) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const functionOf = (name: string) =>
  serviceFunctions(template).find(({ Description }) => Description === `functions/${name}.ts`);

const nameOf = ({ Description }: { readonly Description: string }): string =>
  Description.slice('functions/'.length, -'.ts'.length);

const mappingOf = (context?: Record<string, string>) =>
  propertiesOf(templateWith(context), 'AWS::Lambda::EventSourceMapping').find(({ ScalingConfig }) => ScalingConfig);

describe('the queue that wakes the sender of webhooks', () => {
  it('delays messages for two seconds, tries them five times and drops them after an hour', () => {
    expect(queues[wakesId!]!.Properties).toEqual({
      SqsManagedSseEnabled: true,
      DelaySeconds: 2,
      VisibilityTimeout: 6 * functionOf(deliverer.function).Timeout,
      MessageRetentionPeriod: 3_600,
      RedrivePolicy: { deadLetterTargetArn: arnOf(failedId), maxReceiveCount: 5 },
    });
    expect(queues[failedId!]!.Properties).toEqual({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 86_400 });
  });

  it('is deleted with the stack in every stage, because the table has the same data', () => {
    for (const { DeletionPolicy } of Object.values(queues)) expect(DeletionPolicy).toBe('Delete');
  });

  it('starts one run per message, and at most as many runs in parallel as the setting allows', () => {
    expect(mappingOf()).toEqual({
      EventSourceArn: arnOf(wakesId),
      FunctionName: { Ref: expect.stringMatching(/^Queuequeuedeliver/) },
      BatchSize: 1,
      ScalingConfig: { MaximumConcurrency: 2 },
    });
    expect(mappingOf({ webhookConcurrency: '50' }).ScalingConfig).toEqual({ MaximumConcurrency: 50 });
    expect(mappingOf({ webhookConcurrency: '1000' }).ScalingConfig).toEqual({ MaximumConcurrency: 1_000 });
  });

  it.each(['1', '1001', '0', '-2', '2.5', 'many', ''])(
    'refuses %j as the number of parallel runs',
    (webhookConcurrency) => {
      expect(() => templateWith({ webhookConcurrency })).toThrow(
        'webhookConcurrency must be an integer from 2 to 1000',
      );
    },
  );
});

describe('a message that wakes the sender of webhooks', () => {
  const waking = deployedFunctions.filter(({ uses }) => uses.includes('wake')).map(({ name }) => name);
  const others = [...consumers, ...schedules, deliverer].filter(({ uses }) =>
    (uses as readonly Use[]).includes('wake'),
  );
  const senders = [...waking, ...others.map((each) => each.function)];

  it('may be sent only by the functions that create deliveries, and only to this queue', () => {
    const allowed = serviceFunctions(template).flatMap(({ Description }) =>
      statementsOf(template, nameOf({ Description }))
        // Other queues get what the stream's readers and the function for bounces could not process.
        .filter(
          ({ Action, Resource }) =>
            /sqs:Send/.test(String(Action)) && !/Uncounted|FailedFeedback/.test(JSON.stringify(Resource)),
        )
        .map((found) => ({ name: nameOf({ Description }), statement: found })),
    );
    const statement = { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: arnOf(wakesId) };
    expect(allowed).toHaveLength(senders.length);
    expect(allowed).toEqual(expect.arrayContaining(senders.map((name) => ({ name, statement }))));
  });

  it('is sent to the queue whose URL is in the function’s environment', () => {
    const urls = serviceFunctions(template).flatMap(({ Description, Environment }) => {
      const { WEBHOOK_QUEUE_URL: url } = Environment.Variables;
      return url === undefined ? [] : [[nameOf({ Description }), url]];
    });
    expect(Object.fromEntries(urls)).toEqual(Object.fromEntries(senders.map((name) => [name, { Ref: wakesId }])));
  });
});

it('the sender of webhooks may read and write deliveries, decrypt secrets and use its queue, and nothing else', () => {
  expect(statementsOf(template, deliverer.function)).toEqual([
    expect.objectContaining({ Action: ['logs:CreateLogStream', 'logs:PutLogEvents'] }),
    {
      Effect: 'Allow',
      Action: ['BatchGetItem', 'UpdateItem', 'Query', 'PutItem', 'DeleteItem'].map((name) => `dynamodb:${name}`),
      Resource: arnOf(expect.stringMatching(/^Table/)),
    },
    expect.objectContaining({ Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'] }),
    {
      Effect: 'Allow',
      Action: 'kms:Decrypt',
      Resource: arnOf(expect.stringMatching(/^SecretsVault/)),
      // Signing secrets, but no bank details of partners.
      Condition: { 'ForAnyValue:StringEquals': { 'kms:EncryptionContextKeys': 'program_id' } },
    },
    { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: arnOf(wakesId) },
    {
      Effect: 'Allow',
      Action: ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((name) => `sqs:${name}`),
      Resource: arnOf(wakesId),
    },
  ]);
});

describe('webhook URLs on the machine itself (loopback addresses)', () => {
  it('are refused by every deployed function', () => {
    for (const { Environment } of serviceFunctions(template)) {
      expect(Object.keys(Environment.Variables)).not.toContain('WEBHOOK_ALLOW_LOOPBACK');
    }
  });

  it('cannot be allowed by a setting or variable: the synthesis fails', () => {
    const name = 'WEBHOOK_ALLOW_LOOPBACK';
    const { node } = new App();
    expect(() => settingsFrom(node, { [name]: '1' })).toThrow(`${name} is for the local run`);
    expect(() => settingsFrom(node, { [name]: 'yes' })).toThrow(`${name} is for the local run`);
    expect(settingsFrom(node, { [name]: '0' })).toEqual(settingsFrom(node));
    expect(() => templateWith({ [name]: '1' })).toThrow(`${name} is for the local run`);
    expect(() => templateWith({ webhookAllowLoopback: '1' })).toThrow('Unknown setting "webhookAllowLoopback"');
  });
});
