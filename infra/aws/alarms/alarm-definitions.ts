import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type AlarmDefinition, HOUR, logged, message, PERIOD, sumOf } from '#infra/aws/alarms/alarm-metrics.ts';
import type { Api } from '#infra/aws/endpoints/api.ts';
import { canaryAlarms, heartbeatAlarms } from '#infra/aws/alarms/heartbeat-alarms.ts';
import { keyUnusable } from '#infra/aws/alarms/key-loss.ts';
import { mailAlarms, type MailParts } from '#infra/aws/alarms/mail-alarms.ts';
import { moneyAlarms } from '#infra/aws/alarms/money-alarms.ts';
import { outboxAlarms, type OutboxParts, webhookAlarms, type WebhookParts } from '#infra/aws/alarms/webhook-alarms.ts';
import type { StreamConsumer } from '#infra/aws/endpoints/stream-consumer.ts';
import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';

/** The parts of the stack that alarms monitor. */
export interface MonitoredParts {
  readonly api: Api;
  readonly functionLog: ILogGroup;
  readonly table: ITableV2;
  /** Functions that must not be throttled: each rejected call would lose a click, sale or payment. */
  readonly vital: readonly LambdaFunction[];
  readonly counters: StreamConsumer;
  /** The function that runs each hour and completes unfinished rebuilds of counters. */
  readonly rebuild: LambdaFunction;
  readonly outbox: OutboxParts;
  readonly webhooks: WebhookParts;
  /** The parts that send mails; undefined if no mails are sent. */
  readonly mail?: MailParts;
  readonly hasCanary: boolean;
  /** The key that encrypts signing secrets and payout details. */
  readonly vaultKeyArn: string;
}

/** Alarm definitions by name. @param scope construct for the metric filters of the logs */
export function alarmDefinitions(scope: Construct, parts: MonitoredParts): Record<string, AlarmDefinition> {
  const { api, functionLog, table, counters, rebuild, outbox, webhooks, vital, mail, hasCanary } = parts;
  return {
    ServerErrors: {
      metric: api.metric('5xx', Stats.SUM, PERIOD),
      threshold: 5,
      periods: { over: 2, of: 3 },
      text: 'Requests fail with 500 again and again. Search the functions’ log for "request_failed" and its cause.',
    },
    FunctionThrottles: {
      metric: sumOf(vital.map((each) => each.metricThrottles({ period: PERIOD }))),
      threshold: 1,
      text: 'Tracking or webhooks are refused for want of concurrency. Raise the account’s Lambda quota.',
    },
    TableThrottles: {
      metric: sumOf([
        ...throttlesOf(table),
        ...tableDefinition.indexes.flatMap(({ name }) => throttlesOf(table, { GlobalSecondaryIndexName: name })),
      ]),
      threshold: 10,
      periods: { over: 2, of: 3 },
      text: 'The table throttles. Find the hot key with CloudWatch Contributor Insights; test/bench/scale.md lists the remedies.',
    },
    CountersLate: {
      metric: counters.consumer.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: PERIOD }),
      threshold: Duration.minutes(10).toMilliseconds(),
      text: 'Counters lag behind by ten minutes. Search the log for "records_delayed".',
    },
    Uncounted: {
      metric: sumOf([
        counters.unprocessed.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: PERIOD }),
        logged(scope, 'Uncounted', functionLog, message('record_uncounted')),
      ]),
      threshold: 1,
      text: 'Records of the stream were given up. Mend the cause (log: "record_uncounted"), run "metrics rebuild-all --stage <stage>", empty the queue.',
    },
    RebuildsFailed: {
      metric: sumOf(
        [
          logged(scope, 'RebuildsFailed', functionLog, message('counters_not_rebuilt')).with({ period: HOUR }),
          rebuild.metricErrors({ period: HOUR }),
        ],
        HOUR,
      ),
      threshold: 1,
      text: 'Counters that "metrics rebuild" left were not corrected. The next hour tries again, 24 times. Search the log for "counters_not_rebuilt".',
    },
    RateLimited: {
      metric: logged(scope, 'RateLimited', api.accessLog, FilterPattern.stringValue('$.status', '=', '429')),
      threshold: 500,
      periods: { over: 2, of: 3 },
      text: 'Many requests are refused as too many. See in the access log which route, and who it can be; infra/runbook/alarms.md says how.',
    },
    EdgeSecretUnknown: {
      metric: logged(scope, 'EdgeSecretUnknown', functionLog, message('edge_secret_unknown')),
      threshold: 10,
      text: 'Requests bring an edge secret that the table does not know, and get 403. Deploy another edgeSecretVersion.',
    },
    UncountedRequests: {
      metric: logged(scope, 'UncountedRequests', functionLog, message('rate_window_uncounted')),
      threshold: 50,
      text: 'Rate limits are not counted, and requests pass without them. Look at the table’s health.',
    },
    KeyUnusable: {
      metric: logged(scope, 'KeyUnusable', functionLog, keyUnusable),
      threshold: 1,
      text: 'The key that encrypts signing secrets and payout details is disabled or being deleted. Enable it, or cancel its deletion.',
    },
    ...moneyAlarms(scope, { accessLog: api.accessLog, functionLog }),
    ...outboxAlarms(scope, functionLog, outbox),
    ...webhookAlarms(scope, functionLog, webhooks),
    ...(mail && mailAlarms(scope, functionLog, mail)),
    ...heartbeatAlarms({
      scheduled: outbox.scheduled,
      rebuild,
      counters: counters.consumer,
      outbox: outbox.consumer.consumer,
      sender: webhooks.sender,
    }),
    ...(hasCanary && canaryAlarms(scope, functionLog)),
  };
}

/** Throttled requests of the table and of its index, each of which has its own metrics. */
const throttlesOf = ({ tableName }: ITableV2, dimensions: Record<string, string> = {}): Metric[] =>
  ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
    (metricName) =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName,
        dimensionsMap: { ...dimensions, TableName: tableName },
        statistic: Stats.SUM,
        period: PERIOD,
      }),
  );
