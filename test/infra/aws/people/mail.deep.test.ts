import { describe, expect, it } from 'vitest';
import { factRecords } from '#lib/service/ground/config/table-definition.ts';
import { only, propertiesOf, statementsOf, templateWith } from '#test/infra/aws/synthesized.ts';

const without = templateWith();
const template = templateWith({ mailFrom: 'referrals@acme.test' });
const set = { Ref: only(template, 'AWS::SES::ConfigurationSet').id };
const functions = propertiesOf(template, 'AWS::Lambda::Function');
const functionOf = (name: string) => functions.find(({ Description }) => Description === `functions/${name}.ts`);
const table = { 'Fn::GetAtt': [expect.stringMatching(/^Table/), 'Arn'] };
const failed = { 'Fn::GetAtt': [expect.stringMatching(/FailedFeedback/), 'Arn'] };

it('a stack without the setting mailFrom has no resources for mails', () => {
  for (const type of ['AWS::SES::ConfigurationSet', 'AWS::SES::EmailIdentity']) {
    expect(propertiesOf(without, type)).toEqual([]);
  }
  expect(JSON.stringify(propertiesOf(without, 'AWS::Events::Rule'))).not.toContain('aws.ses');
  expect(JSON.stringify(without.toJSON())).not.toContain('ses:SendEmail');
  expect(JSON.stringify(without.toJSON())).not.toContain('MAIL_FROM');
});

describe('the mail sender of a stack (setting mailFrom)', () => {
  it('gets an SES identity for its domain, whose DNS records are outputs', () => {
    expect(only(template, 'AWS::SES::EmailIdentity').properties).toMatchObject({ EmailIdentity: 'acme.test' });
    const records = JSON.stringify(template.findOutputs('MailDnsRecords').MailDnsRecords!.Value);
    expect(records.match(/ CNAME /g)).toHaveLength(3);
    expect(records).toContain(String.raw`_dmarc.acme.test TXT \"v=DMARC1; p=none\"`);
  });

  it('can use an existing SES identity', () => {
    const mailIdentityArn = 'arn:aws:ses:us-east-1:123456789012:identity/acme.test';
    const known = templateWith({ mailFrom: 'referrals@acme.test', mailIdentityArn });
    expect(propertiesOf(known, 'AWS::SES::EmailIdentity')).toEqual([]);
    expect(known.findOutputs('MailDnsRecords')).toEqual({});
    expect(JSON.stringify(statementsOf(known, 'stream/outbox'))).toContain(mailIdentityArn);
  });

  it.each(['an invalid address', 'A <a@acme.test>', 'a@b'])('cannot be the text %s', (mailFrom) => {
    expect(() => templateWith({ mailFrom })).toThrow('mailFrom must be an address such as no-reply@example.com');
  });

  it('is required if the settings name an existing SES identity', () => {
    const mailIdentityArn = 'arn:aws:ses:us-east-1:123456789012:identity/acme.test';
    expect(() => templateWith({ mailIdentityArn })).toThrow('mailIdentityArn goes with mailFrom');
  });
});

const maySend = {
  Effect: 'Allow',
  Action: 'ses:SendEmail',
  Resource: [
    expect.anything(),
    { 'Fn::Join': ['', expect.arrayContaining([expect.stringContaining(':configuration-set/'), set])] },
  ],
  Condition: { StringEquals: { 'ses:FromAddress': 'referrals@acme.test' } },
};

describe('the functions for mails:', () => {
  it('only the two senders may send mails, and only with the configured sender address', () => {
    const senders = functions
      .filter(({ Environment }) => Environment?.Variables.MAIL_FROM === 'referrals@acme.test')
      .map(({ Description }) => String(Description));
    expect(senders.toSorted()).toEqual(['functions/schedule/outbox.ts', 'functions/stream/outbox.ts']);
    for (const name of ['schedule/outbox', 'stream/outbox']) {
      expect(functionOf(name).Environment.Variables).toMatchObject({ MAIL_CONFIGURATION_SET: set });
      expect(statementsOf(template, name)).toContainEqual(maySend);
    }
    const all = JSON.stringify(template.toJSON());
    expect(all.match(/ses:SendEmail/g)).toHaveLength(2);
  });

  it('the one that receives bounces may mark e-mail addresses but not send', () => {
    expect(statementsOf(template, 'mail/feedback')).toEqual([
      expect.objectContaining({ Action: ['logs:CreateLogStream', 'logs:PutLogEvents'] }),
      {
        Effect: 'Allow',
        Action: ['BatchGetItem', 'UpdateItem', 'Query'].map((name) => `dynamodb:${name}`),
        Resource: table,
      },
      expect.objectContaining({ Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'] }),
      { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: failed },
    ]);
  });

  it('the stream starts the sender only for clicks, other facts and waiting mails', () => {
    const mapping = propertiesOf(template, 'AWS::Lambda::EventSourceMapping').find(
      ({ BatchSize }) => BatchSize === 100,
    );
    const { whole, prefixes } = factRecords;
    expect(mapping.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { sk: { S: ['CUSTOMER', { prefix: 'CLICK#' }] } } } },
      { dynamodb: { Keys: { sk: { S: [...whole, ...prefixes.map((prefix) => ({ prefix }))] } } } },
      { dynamodb: { Keys: { sk: { S: ['MAIL', 'MAILING'] } }, NewImage: { status: { S: ['waiting'] } } } },
    ]);
    expect(mapping).toMatchObject({ TumblingWindowInSeconds: 900, FunctionResponseTypes: ['ReportBatchItemFailures'] });
  });
});

it('bounces and complaints about the service’s mails start the function that handles them; schedules run every minute and every hour', () => {
  const target = (name: string) => {
    const { Description } = functionOf(name);
    const [id] = Object.entries(template.findResources('AWS::Lambda::Function')).find(
      ([, { Properties }]) => Properties.Description === Description,
    )!;
    return { Id: expect.any(String), Arn: { 'Fn::GetAtt': [id, 'Arn'] } };
  };
  const rules = propertiesOf(template, 'AWS::Events::Rule');
  expect(rules).toContainEqual({
    EventPattern: {
      source: ['aws.ses'],
      'detail-type': ['Email Bounced', 'Email Complaint Received'],
      detail: { mail: { tags: { 'ses:configuration-set': [set] } } },
    },
    State: 'ENABLED',
    Targets: [{ ...target('mail/feedback'), DeadLetterConfig: { Arn: failed } }],
  });
  expect(rules).toContainEqual({
    ScheduleExpression: 'rate(1 minute)',
    State: 'ENABLED',
    Targets: [{ ...target('schedule/outbox'), RetryPolicy: { MaximumRetryAttempts: 0 } }],
  });
  expect(rules).toContainEqual({
    ScheduleExpression: 'rate(1 hour)',
    State: 'ENABLED',
    Targets: [{ ...target('schedule/rebuild'), RetryPolicy: { MaximumRetryAttempts: 0 } }],
  });
  expect(only(template, 'AWS::SES::ConfigurationSetEventDestination').properties).toMatchObject({
    EventDestination: { Enabled: true, MatchingEventTypes: ['bounce', 'complaint'] },
  });
  expect(only(template, 'AWS::SES::ConfigurationSet').properties).toMatchObject({
    ReputationOptions: { ReputationMetricsEnabled: true },
    SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
  });
});

it('a bounce that its function does not process waits in a queue that an alarm watches', () => {
  expect(functionOf('mail/feedback').DeadLetterConfig).toEqual({ TargetArn: failed });
  const queue = Object.entries(template.findResources('AWS::SQS::Queue')).find(([id]) => id.includes('FailedFeedback'));
  expect(queue![1].Properties).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 86_400 });
  const allowed = propertiesOf(template, 'AWS::SQS::QueuePolicy')
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Effect, Resource }) => Effect === 'Allow' && JSON.stringify(Resource).includes(queue![0]));
  expect(allowed).toEqual([
    expect.objectContaining({
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [expect.stringMatching(/FeedbackRule/), 'Arn'] } } },
    }),
  ]);
  const alarm = propertiesOf(template, 'AWS::CloudWatch::Alarm').find(
    ({ AlarmName }) => AlarmName === 'Service-MailsFailed',
  );
  expect(JSON.stringify(alarm.Metrics)).toContain(`"Fn::GetAtt":["${queue![0]}","QueueName"]`);
  expect(JSON.stringify(template.findOutputs('FailedFeedbackQueueUrl'))).toContain(queue![0]);
});

describe('the alarms about mails', () => {
  const added = propertiesOf(template, 'AWS::CloudWatch::Alarm')
    .map(({ AlarmName }) => String(AlarmName).replace('Service-', ''))
    .filter((name) => !JSON.stringify(without.toJSON()).includes(name));

  it('are raised by late, failed and refused mails, by bounces and by complaints', () => {
    expect(added.toSorted()).toEqual(['MailBounces', 'MailComplaints', 'MailsFailed', 'MailsLate', 'MailsNotTaken']);
  });
});
