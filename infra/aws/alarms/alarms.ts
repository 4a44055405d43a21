import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { OperationsPage } from '#infra/aws/alarms/operations-page.ts';
import { alarmDefinitions, type MonitoredParts } from '#infra/aws/alarms/alarm-definitions.ts';
import { type AlarmDefinition, installationOf } from '#infra/aws/alarms/alarm-metrics.ts';
import { reportKeyLoss } from '#infra/aws/alarms/key-loss.ts';
import { MonthlyBudget } from '#infra/aws/alarms/monthly-budget.ts';

export interface AlarmsProps extends MonitoredParts {
  /** E-mail address that is notified of alarms. Default: no one is notified. */
  readonly email?: string;
  /** AWS Budgets sends a mail if the account costs more than this many US dollars in a month. Default: no budget. */
  readonly monthlyBudgetUsd?: number;
}

/** The alarms, and a dashboard with their metrics. */
export class Alarms extends Construct {
  readonly topic: Topic;
  /** The URL of the alarms' CloudWatch dashboard. */
  readonly pageUrl: string;

  constructor(scope: Construct, id: string, { email, monthlyBudgetUsd, ...parts }: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    if (email) this.topic.addSubscription(new EmailSubscription(email));
    const alarms = Object.entries(alarmDefinitions(this, parts)).map(([name, each]) => this.#alarm(name, each));
    this.topic.addToResourcePolicy(mayPublish(this.topic, alarms));
    reportKeyLoss(this, 'KeyDisabled', parts.vaultKeyArn, this.topic);
    if (monthlyBudgetUsd !== undefined) new MonthlyBudget(this, 'Budget', { usd: monthlyBudgetUsd, email: email! });
    this.pageUrl = new OperationsPage(this, 'Page', { ...parts, alarms }).url;
  }

  #alarm(name: string, definition: AlarmDefinition): Alarm {
    const { metric, threshold, periods = { over: 1, of: 1 }, isHeartbeat, text } = definition;
    const alarm = new Alarm(this, name, {
      alarmName: `${installationOf(this)}-${name}`,
      alarmDescription: text,
      metric,
      threshold,
      evaluationPeriods: periods.of,
      datapointsToAlarm: periods.over,
      ...(isHeartbeat ? ifMissing : ifReached),
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    return alarm;
  }
}

const ifMissing = {
  comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.BREACHING,
};

const ifReached = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  // The metrics have no data while there is no traffic, which is not a problem.
  treatMissingData: TreatMissingData.NOT_BREACHING,
};

/**
 * Lets alarms publish to the topic. `enforceSSL` creates an explicit topic policy, which replaces the default policy
 * that would let them.
 */
const mayPublish = (topic: Topic, alarms: readonly Alarm[]): PolicyStatement =>
  new PolicyStatement({
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    actions: ['sns:Publish'],
    resources: [topic.topicArn],
    conditions: {
      StringEquals: { 'aws:SourceAccount': Stack.of(topic).account },
      ArnEquals: { 'aws:SourceArn': alarms.map(({ alarmArn }) => alarmArn) },
    },
  });
