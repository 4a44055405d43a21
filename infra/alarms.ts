import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmStatusWidget,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Api } from '#infra/api.ts';
import type { StreamConsumer } from '#infra/stream-consumer.ts';

export interface AlarmsProps {
  readonly serviceName: string;
  readonly api: Api;
  readonly functionLog: ILogGroup;
  readonly table: TableV2;
  /** Whose throttling costs clicks, sales or payments. */
  readonly vital: readonly LambdaFunction[];
  readonly counters: StreamConsumer;
  /** Who is written to; nobody unless said. */
  readonly email?: string;
}

interface Watched {
  readonly metric: IMetric;
  readonly threshold: number;
  /** Which of the last periods must be over it. */
  readonly periods?: { readonly over: number; readonly of: number };
  /** What it means and what to do; README, "When an alarm rings", says more. */
  readonly text: string;
}

const FIVE_MINUTES = Duration.minutes(5);

/** What somebody must look at, and one page on which to look. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    if (props.email) this.topic.addSubscription(new EmailSubscription(props.email));
    const alarms = Object.entries(this.#watched(props)).map(([name, watched]) => this.#alarm(name, watched));
    this.#dashboard(props, alarms);
  }

  #alarm(name: string, { metric, threshold, periods = { over: 1, of: 1 }, text }: Watched): Alarm {
    const alarm = new Alarm(this, name, {
      metric,
      threshold,
      evaluationPeriods: periods.of,
      datapointsToAlarm: periods.over,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // No traffic is no trouble.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: text,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    return alarm;
  }

  #watched(props: AlarmsProps): Record<string, Watched> {
    const { api, functionLog, table, counters, vital } = props;
    const { accessLog } = api;
    const { consumer, uncounted } = counters;
    return {
      ServerErrors: {
        metric: apiMetric(props, '5xx', Stats.SUM),
        threshold: 5,
        periods: { over: 2, of: 3 },
        text: 'Requests fail with 500. Search the functions’ log for "request_failed" and its cause.',
      },
      FunctionThrottles: {
        metric: sumOf(vital.map((each) => each.metricThrottles({ period: FIVE_MINUTES }))),
        threshold: 1,
        text: 'Tracking or webhooks are refused for want of concurrency. Raise the account’s Lambda quota.',
      },
      TableThrottles: {
        metric: table.metricThrottledRequestsForOperations({
          operations: [
            Operation.BATCH_GET_ITEM,
            Operation.PUT_ITEM,
            Operation.QUERY,
            Operation.TRANSACT_WRITE_ITEMS,
            Operation.UPDATE_ITEM,
          ],
          period: FIVE_MINUTES,
        }),
        threshold: 10,
        periods: { over: 2, of: 3 },
        text: 'The table throttles. Find the hot key with CloudWatch Contributor Insights; ARCHITECTURE.md says what then.',
      },
      CountersLate: {
        metric: consumer.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: FIVE_MINUTES }),
        threshold: Duration.minutes(10).toMilliseconds(),
        text: 'Counters lag behind by ten minutes. Search the log for "record_uncounted".',
      },
      Uncounted: {
        metric: uncounted.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: FIVE_MINUTES }),
        threshold: 1,
        text: 'Records of the stream were given up. Mend the cause, then run "metrics rebuild" for each program.',
      },
      WebhookFailures: {
        metric: this.#logged('WebhookFailures', accessLog, webhookAnswers('5*')),
        threshold: 1,
        periods: { over: 2, of: 3 },
        text: 'Events of Stripe fail. Stripe repeats them for three days: mend the cause within that time.',
      },
      WebhookRefusals: {
        metric: this.#logged('WebhookRefusals', accessLog, webhookAnswers('4*')),
        threshold: 10,
        text: 'Events are refused as wrongly signed. Compare the signing secret with the one that Stripe shows.',
      },
      MissingCommissions: {
        metric: this.#logged('MissingCommissions', functionLog, message('commission_failed')),
        threshold: 1,
        text: 'A sale was recorded without its commission. Mend the cause, then run "sale repair --all".',
      },
      UncountedRequests: {
        metric: this.#logged('UncountedRequests', functionLog, message('rate_window_uncounted')),
        threshold: 50,
        text: 'Rate limits are not counted, and requests pass without them. Look at the table’s health.',
      },
    };
  }

  #logged(name: string, logGroup: ILogGroup, filterPattern: IFilterPattern): Metric {
    const filter = new MetricFilter(this, `${name}Filter`, {
      logGroup,
      filterPattern,
      metricNamespace: 'ReferralTracking',
      metricName: `${name}-${this.node.addr.slice(-8)}`,
    });
    return filter.metric({ statistic: Stats.SUM, period: FIVE_MINUTES });
  }

  #dashboard(props: AlarmsProps, alarms: Alarm[]): void {
    const { serviceName, table, vital, counters } = props;
    const { consumer } = counters;
    const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
      new GraphWidget({ title, left, right, width: 12, height: 6 });
    new Dashboard(this, 'Dashboard', {
      dashboardName: serviceName,
      widgets: [
        [new AlarmStatusWidget({ alarms, width: 24 })],
        [
          graph(
            'Requests',
            [apiMetric(props, 'Count', Stats.SUM)],
            ['4xx', '5xx'].map((name) => apiMetric(props, name, Stats.SUM)),
          ),
          graph(
            'Latency (ms)',
            ['p50', 'p99'].map((statistic) => apiMetric(props, 'Latency', statistic)),
          ),
        ],
        [
          graph(
            'Tracking functions (ms, p99)',
            vital.map((each) => each.metricDuration({ statistic: 'p99' })),
          ),
          graph(
            'Concurrent runs',
            vital.map((each) => each.metric('ConcurrentExecutions', { statistic: Stats.MAXIMUM })),
          ),
        ],
        [
          graph('Table: units', [table.metricConsumedWriteCapacityUnits(), table.metricConsumedReadCapacityUnits()]),
          graph('Counters: lag (ms)', [consumer.metric('IteratorAge', { statistic: Stats.MAXIMUM })]),
        ],
      ],
    });
  }
}

const apiMetric = ({ api: { apiId } }: AlarmsProps, metricName: string, statistic: string): Metric =>
  new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    dimensionsMap: { ApiId: apiId },
    statistic,
    period: FIVE_MINUTES,
  });

const sumOf = (metrics: readonly IMetric[]): MathExpression =>
  new MathExpression({
    expression: metrics.map((_, index) => `m${index}`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    period: FIVE_MINUTES,
  });

const message = (code: string): IFilterPattern => FilterPattern.stringValue('$.message', '=', code);

/** The access log writes the status as text. */
const webhookAnswers = (status: string): IFilterPattern =>
  FilterPattern.all(
    FilterPattern.stringValue('$.route', '=', '*/webhooks/*'),
    FilterPattern.stringValue('$.status', '=', status),
  );
