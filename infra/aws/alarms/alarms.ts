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

export interface AlarmsProps extends MonitoredParts {
  /** E-mail address for notifications; default: none. */
  readonly email?: string;
}

/** The alarms, and a dashboard with their metrics. */
export class Alarms extends Construct {
  readonly topic: Topic;
  /** The URL of the alarms' CloudWatch dashboard. */
  readonly pageUrl: string;

  constructor(scope: Construct, id: string, { email, ...parts }: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    if (email) this.topic.addSubscription(new EmailSubscription(email));
    const alarms = Object.entries(alarmDefinitions(this, parts)).map(([name, each]) => this.#alarm(name, each));
    this.topic.addToResourcePolicy(mayPublish(this.topic, alarms));
    this.pageUrl = new OperationsPage(this, 'Page', { ...parts, alarms }).url;
  }

  #alarm(name: string, definition: AlarmDefinition): Alarm {
    const { metric, threshold, periods = { over: 1, of: 1 }, text } = definition;
    const alarm = new Alarm(this, name, {
      alarmName: `${installationOf(this)}-${name}`,
      alarmDescription: text,
      metric,
      threshold,
      evaluationPeriods: periods.of,
      datapointsToAlarm: periods.over,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // Missing data means that there was no traffic.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    return alarm;
  }
}

/** `enforceSSL` creates an explicit topic policy, which replaces the default policy that lets alarms publish. */
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
