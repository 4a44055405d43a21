import { Stack } from 'aws-cdk-lib';
import { type Alarm, AlarmStatusWidget, Dashboard, GraphWidget, type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { installationOf } from '#infra/aws/alarms/alarm-metrics.ts';
import type { MonitoredParts } from '#infra/aws/alarms/alarm-definitions.ts';

export interface OperationsPageProps extends MonitoredParts {
  readonly alarms: Alarm[];
}

/** The CloudWatch dashboard for responding to alarms. */
export class OperationsPage extends Construct {
  readonly url: string;

  constructor(
    scope: Construct,
    id: string,
    { api, table, vital, counters, outbox, webhooks, alarms }: OperationsPageProps,
  ) {
    super(scope, id);
    const { region } = Stack.of(this);
    const page = new Dashboard(this, 'Dashboard', {
      dashboardName: installationOf(this),
      widgets: [
        [new AlarmStatusWidget({ alarms, width: 24 })],
        [
          graph(
            'Requests',
            [api.metric('Count', Stats.SUM)],
            ['4xx', '5xx'].map((name) => api.metric(name, Stats.SUM)),
          ),
          graph(
            'Latency (ms)',
            ['p50', 'p99'].map((statistic) => api.metric('Latency', statistic)),
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
          graph(
            'Counters, outbox: lag (ms)',
            [counters, outbox.consumer].map(({ consumer }) =>
              consumer.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
            ),
          ),
        ],
        [
          graph('Webhooks: runs, errors', [webhooks.sender.metricInvocations(), webhooks.sender.metricErrors()]),
          graph('Webhooks: oldest wake (s)', [
            webhooks.wakes.queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM }),
          ]),
        ],
      ],
    });
    this.url = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${page.dashboardName}`;
  }
}

const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
  new GraphWidget({ title, left, right, width: 12, height: 6 });
