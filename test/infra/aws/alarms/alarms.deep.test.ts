import { describe, expect, it } from 'vitest';
import { only, propertiesOf, serviceFunctions, statementsOf, templateWith } from '#test/infra/aws/synthesized.ts';

const template = templateWith();
const alarms = propertiesOf(template, 'AWS::CloudWatch::Alarm');
const nameOf = ({ AlarmName }: { AlarmName: string }) => AlarmName.replace('Service-', '');
const topic = { Ref: only(template, 'AWS::SNS::Topic').id };

const alarmOf = (name: string) => alarms.find((alarm) => nameOf(alarm) === name);

/** A part of an alarm's expression. @param Period seconds */
const measured = (Namespace: string, MetricName: string, Stat: string, Dimensions?: object[], Period = 300) =>
  expect.objectContaining({
    MetricStat: { Metric: { Namespace, MetricName, ...(Dimensions && { Dimensions }) }, Stat, Period },
  });

const inQueue = (id: RegExp) => [
  { Name: 'QueueName', Value: { 'Fn::GetAtt': [expect.stringMatching(id), 'QueueName'] } },
];

const ofFunction = (id: RegExp) => [{ Name: 'FunctionName', Value: { Ref: expect.stringMatching(id) } }];

it('the stack has exactly the expected alarms', () => {
  expect(alarms.map(nameOf).toSorted()).toEqual([
    'CountersLate',
    'CountersStopped',
    'DeliveriesFailing',
    'DeliveriesLate',
    'EdgeSecretUnknown',
    'FactsFailed',
    'FunctionThrottles',
    'IdsUsedElsewhere',
    'KeyUnusable',
    'MissingCommissions',
    'OutboxLate',
    'OutboxStopped',
    'PaymentsUnlisted',
    'PayoutFailures',
    'PayoutsDelayed',
    'RateLimited',
    'RebuildsFailed',
    'RebuildsStopped',
    'SaleFailures',
    'ScheduleStopped',
    'SenderStopped',
    'ServerErrors',
    'TableThrottles',
    'Uncounted',
    'UncountedRequests',
    'WakesFailed',
    'WebhookFailures',
    'WebhookRefusals',
  ]);
});

describe.each(alarms.map((alarm) => [nameOf(alarm), alarm]))('the alarm %s', (name, alarm) => {
  it('notifies the topic when it is raised and when it ends, and treats missing data as no alarm unless data must come regularly', () => {
    expect(alarm).toMatchObject({
      AlarmActions: [topic],
      OKActions: [topic],
      ...(name.endsWith('Stopped')
        ? { TreatMissingData: 'breaching', ComparisonOperator: 'LessThanThreshold', Threshold: 1 }
        : { TreatMissingData: 'notBreaching', ComparisonOperator: 'GreaterThanOrEqualToThreshold' }),
    });
    expect(alarm.ActionsEnabled).not.toBe(false);
  });

  it('says in its description what the problem is and what to do', () => {
    expect(alarm.AlarmDescription).toMatch(/^\S.*[.?]$/);
  });
});

it('each alarm reads the metric that its name says', () => {
  const metrics = Object.fromEntries(
    alarms.map((alarm) => [
      nameOf(alarm),
      alarm.Metrics ? 'expression' : `${JSON.stringify(alarm.Namespace)} ${alarm.MetricName} ${alarm.Statistic}`,
    ]),
  );
  expect(metrics).toEqual({
    ServerErrors: '"AWS/ApiGateway" 5xx Sum',
    FunctionThrottles: 'expression',
    TableThrottles: 'expression',
    CountersLate: '"AWS/Lambda" IteratorAge Maximum',
    Uncounted: 'expression',
    KeyUnusable: '"Service" KeyUnusable Sum',
    SaleFailures: '"Service" SaleFailures Sum',
    PayoutFailures: '"Service" PayoutFailures Sum',
    PayoutsDelayed: '"Service" PayoutsDelayed Sum',
    RebuildsFailed: 'expression',
    RebuildsStopped: '"AWS/Lambda" Invocations Sum',
    ScheduleStopped: '"AWS/Lambda" Invocations Sum',
    CountersStopped: '"AWS/Lambda" Invocations Sum',
    OutboxStopped: '"AWS/Lambda" Invocations Sum',
    SenderStopped: '"AWS/Lambda" Invocations Sum',
    WebhookFailures: '"Service" WebhookFailures Sum',
    WebhookRefusals: '"Service" WebhookRefusals Sum',
    MissingCommissions: '"Service" MissingCommissions Sum',
    PaymentsUnlisted: '"Service" PaymentsUnlisted Sum',
    IdsUsedElsewhere: '"Service" IdsUsedElsewhere Sum',
    UncountedRequests: '"Service" UncountedRequests Sum',
    RateLimited: '"Service" RateLimited Sum',
    EdgeSecretUnknown: '"Service" EdgeSecretUnknown Sum',
    OutboxLate: '"AWS/Lambda" IteratorAge Maximum',
    FactsFailed: 'expression',
    DeliveriesLate: 'expression',
    DeliveriesFailing: '"AWS/Lambda" Errors Sum',
    WakesFailed: '"AWS/SQS" ApproximateNumberOfMessagesVisible Maximum',
  });
});

it('there is an alarm for throttled runs of every function that records clicks, sales or payments', () => {
  const { Metrics } = alarmOf('FunctionThrottles');
  const watched = Metrics.flatMap(({ MetricStat }: { MetricStat?: { Metric: Metric } }) =>
    MetricStat ? [MetricStat.Metric] : [],
  );
  interface Metric {
    readonly MetricName: string;
    readonly Dimensions: readonly { readonly Value: { readonly Ref: string } }[];
  }
  const functions = template.findResources('AWS::Lambda::Function');
  const files = watched.map(({ MetricName, Dimensions }: Metric) => {
    expect(MetricName).toBe('Throttles');
    return functions[Dimensions[0]!.Value.Ref]!.Properties.Description;
  });
  expect(files.toSorted()).toEqual([
    'functions/track/click.ts',
    'functions/track/lead.ts',
    'functions/track/refund.ts',
    'functions/track/sale.ts',
    'functions/track/stripe.ts',
    'functions/webhooks/stripe/platform.ts',
    'functions/webhooks/stripe/program.ts',
  ]);
});

it('the alarm TableThrottles adds up reads and writes of the table and of each index, even if some have no data', () => {
  const { Metrics } = alarmOf('TableThrottles');
  const ofTable = [{ Name: 'TableName', Value: { Ref: expect.stringMatching(/^Table/) } }];
  const ofIndex = (name: string) => [{ Name: 'GlobalSecondaryIndexName', Value: name }, ...ofTable];
  expect(Metrics).toEqual([
    expect.objectContaining({
      Expression: 'FILL(m0, 0) + FILL(m1, 0) + FILL(m2, 0) + FILL(m3, 0) + FILL(m4, 0) + FILL(m5, 0)',
    }),
    ...[ofTable, ofIndex('gsi1'), ofIndex('gsi2')].flatMap((dimensions) =>
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => measured('AWS/DynamoDB', name, 'Sum', dimensions)),
    ),
  ]);
});

it('an alarm is raised by records that the stream dropped or that the counters could not process', () => {
  const { Metrics, Threshold } = alarmOf('Uncounted');
  expect(Threshold).toBe(1);
  expect(Metrics).toEqual([
    expect.objectContaining({ Expression: 'FILL(m0, 0) + FILL(m1, 0)' }),
    measured('AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'Maximum', inQueue(/^Streamstreamcounterssource/)),
    measured('Service', 'Uncounted', 'Sum'),
  ]);
});

it('an alarm is raised by records of the stream from which no fact was made, for any cause', () => {
  const { Metrics, Threshold } = alarmOf('FactsFailed');
  expect(Threshold).toBe(1);
  expect(Metrics).toEqual([
    expect.objectContaining({ Expression: 'FILL(m0, 0) + FILL(m1, 0) + FILL(m2, 0)' }),
    measured('AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'Maximum', inQueue(/^Streamstreamoutboxsource/)),
    measured('Service', 'FactsFailed', 'Sum'),
    measured('AWS/Lambda', 'Errors', 'Sum', ofFunction(/^Schedulescheduleoutbox/)),
  ]);
  expect(alarmOf('OutboxLate')).toMatchObject({ Dimensions: ofFunction(/^Streamstreamoutbox/), Threshold: 600_000 });
});

it('alarms are raised by late webhooks, a failing sender and wake-up messages that repeatedly failed', () => {
  expect(alarmOf('DeliveriesLate')).toMatchObject({
    Threshold: 1,
    Metrics: [
      { Expression: 'IF(FILL(age, 0) >= 1800, 1, 0) + FILL(lines, 0)' },
      measured('AWS/SQS', 'ApproximateAgeOfOldestMessage', 'Maximum', inQueue(/^QueueWakes/)),
      measured('Service', 'DeliveriesLate', 'Sum'),
    ],
  });
  expect(alarmOf('DeliveriesFailing')).toMatchObject({ Dimensions: ofFunction(/^Queuequeuedeliver/), Threshold: 5 });
  expect(alarmOf('WakesFailed')).toMatchObject({ Dimensions: inQueue(/^QueueWakesFailed/), Threshold: 1 });
});

it.each([
  ['ScheduleStopped', /^Schedulescheduleoutbox/],
  ['RebuildsStopped', /^Scheduleschedulerebuild/],
  ['CountersStopped', /^Streamstreamcounters/],
  ['OutboxStopped', /^Streamstreamoutbox/],
  ['SenderStopped', /^Queuequeuedeliver/],
])('the alarm %s counts the runs of the function that it watches', (name, id) => {
  expect(alarmOf(name)).toMatchObject({
    Namespace: 'AWS/Lambda',
    MetricName: 'Invocations',
    Dimensions: ofFunction(id),
  });
});

it('alarms are raised by failed or missing hourly rebuilds of counters, and by payouts that the schedule cannot continue', () => {
  expect(alarmOf('RebuildsFailed')).toMatchObject({
    Threshold: 1,
    Metrics: [
      expect.objectContaining({ Expression: 'FILL(m0, 0) + FILL(m1, 0)' }),
      measured('Service', 'RebuildsFailed', 'Sum', undefined, 3600),
      measured('AWS/Lambda', 'Errors', 'Sum', ofFunction(/^Scheduleschedulerebuild/), 3600),
    ],
  });
  expect(alarmOf('RebuildsStopped')).toMatchObject({ Period: 3600, EvaluationPeriods: 2, DatapointsToAlarm: 2 });
  // One line may be caused by a throttled write, which the next run repeats a minute later.
  expect(alarmOf('PayoutsDelayed')).toMatchObject({ Period: 300, EvaluationPeriods: 1, Threshold: 3 });
});

it('one failed request about sales, payouts or webhooks is enough for an alarm', () => {
  for (const name of ['SaleFailures', 'PayoutFailures', 'WebhookFailures']) {
    expect(alarmOf(name)).toMatchObject({ Threshold: 1, EvaluationPeriods: 1, DatapointsToAlarm: 1, Period: 300 });
  }
});

describe('the canary, which regularly tests the deployed service,', () => {
  const withCanary = templateWith({ canary: 'true' });
  const named = (name: string) =>
    propertiesOf(withCanary, 'AWS::CloudWatch::Alarm').find((alarm) => nameOf(alarm) === name);

  it('raises an alarm when two of three runs fail or are missing, and before the certificate expires', () => {
    expect(named('CanaryFailing')).toMatchObject({
      MetricName: 'CanaryPassed',
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
      EvaluationPeriods: 3,
      DatapointsToAlarm: 2,
      Period: 300,
    });
    expect(named('CertificateExpiring')).toMatchObject({
      MetricName: 'CertificateExpiring',
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 1,
      TreatMissingData: 'notBreaching',
    });
  });

  it('runs in the middle of each five-minute period of its alarm, and reads its program key from a secret', () => {
    const rules = propertiesOf(withCanary, 'AWS::Events::Rule').map(({ ScheduleExpression }) => ScheduleExpression);
    expect(rules).toContain('cron(2/5 * * * ? *)');
    const secret = { Ref: expect.stringMatching(/^SecretsCanary/) };
    const canary = serviceFunctions(withCanary).find(
      ({ Description }) => Description === 'functions/schedule/canary.ts',
    );
    expect(canary).toMatchObject({ Timeout: 60, Environment: { Variables: { CANARY_SECRET_ID: secret } } });
    expect(statementsOf(withCanary, 'schedule/canary')).toEqual([
      expect.objectContaining({ Action: ['logs:CreateLogStream', 'logs:PutLogEvents'] }),
      expect.objectContaining({ Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'] }),
      { Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: secret },
    ]);
    expect(withCanary.findOutputs('CanarySecretName')).not.toEqual({});
  });

  it('is not deployed if the setting for it is absent', () => {
    expect(serviceFunctions(template).map(({ Description }) => Description)).not.toContain(
      'functions/schedule/canary.ts',
    );
    expect(template.findOutputs('CanarySecretName')).toEqual({});
  });
});

it('the budget mails the operator when the actual or the forecast cost of a month exceeds the limit', () => {
  const budgeted = templateWith({ alarmEmail: 'ops@acme.test', monthlyBudgetUsd: '250' });
  const Subscribers = [{ SubscriptionType: 'EMAIL', Address: 'ops@acme.test' }];
  const notification = (NotificationType: string) => ({
    Notification: { NotificationType, ComparisonOperator: 'GREATER_THAN', Threshold: 100, ThresholdType: 'PERCENTAGE' },
    Subscribers,
  });
  expect(only(budgeted, 'AWS::Budgets::Budget').properties).toEqual({
    Budget: {
      BudgetName: 'Service',
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 250, Unit: 'USD' },
    },
    NotificationsWithSubscribers: [notification('FORECASTED'), notification('ACTUAL')],
  });
  expect(propertiesOf(template, 'AWS::Budgets::Budget')).toEqual([]);
});

const keyArn = { 'Fn::GetAtt': [expect.stringMatching(/^SecretsVault/), 'Arn'] };
const ruleOfKey = Object.entries(template.findResources('AWS::Events::Rule')).find(([, { Properties }]) =>
  Properties.EventPattern?.source.includes('aws.kms'),
)!;

it('calls that disable or delete the key of the vault are reported to the alarm topic, with their caller', () => {
  expect(ruleOfKey[1].Properties).toMatchObject({
    EventPattern: {
      source: ['aws.kms'],
      'detail-type': ['AWS API Call via CloudTrail'],
      detail: {
        eventSource: ['kms.amazonaws.com'],
        eventName: ['DisableKey', 'ScheduleKeyDeletion'],
        resources: { ARN: [keyArn] },
      },
    },
    State: 'ENABLED',
    Targets: [{ Arn: topic }],
  });
  const { InputPathsMap } = ruleOfKey[1].Properties.Targets[0].InputTransformer;
  expect(new Set(Object.values(InputPathsMap))).toEqual(new Set(['$.detail.eventName', '$.detail.userIdentity.arn']));
});

const notifiedTopics = new Set(
  alarms.flatMap(({ AlarmActions, OKActions }) => [...AlarmActions, ...OKActions].map(({ Ref }) => Ref)),
);

it.each([...notifiedTopics])(
  'the topic %s accepts messages from the stack’s alarms and the rule that watches the key, and from no one else',
  (topicId) => {
    const policies = propertiesOf(template, 'AWS::SNS::TopicPolicy').filter(({ Topics }) =>
      Topics.some(({ Ref }: { Ref: string }) => Ref === topicId),
    );
    const allowed = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).filter(isAllowed);
    const alarmIds = Object.keys(template.findResources('AWS::CloudWatch::Alarm'));
    expect(allowed).toEqual([
      {
        Sid: expect.anything(),
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: { Ref: topicId },
        Condition: {
          StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
          ArnEquals: { 'aws:SourceArn': alarmIds.map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] })) },
        },
      },
      {
        Sid: expect.anything(),
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: { Ref: topicId },
        Condition: {
          StringEqualsIfExists: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
          ArnEqualsIfExists: { 'aws:SourceArn': { 'Fn::GetAtt': [ruleOfKey[0], 'Arn'] } },
        },
      },
    ]);
  },
);

const isAllowed = ({ Effect }: { Effect: string }): boolean => Effect === 'Allow';

it('the alarm topic requires encrypted connections, and has no subscriber if no e-mail address is set', () => {
  const { Statement } = only(template, 'AWS::SNS::TopicPolicy').properties.PolicyDocument;
  expect(Statement).toContainEqual(
    expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
  );
  expect(propertiesOf(template, 'AWS::SNS::Subscription')).toEqual([]);
});

it('the alarms are on one dashboard with the metrics that explain them', () => {
  const { DashboardName, DashboardBody } = only(template, 'AWS::CloudWatch::Dashboard').properties;
  expect(DashboardName).toBe('Service');
  const text = JSON.stringify(DashboardBody);
  for (const part of ['Requests', 'Latency', 'Concurrent runs', 'ConsumedWriteCapacityUnits', 'IteratorAge']) {
    expect(text).toContain(part);
  }
  expect(text.match(/AlarmsServerErrors/g)).not.toHaveLength(0);
});
