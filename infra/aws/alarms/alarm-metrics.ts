import { Duration, Stack } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface AlarmDefinition {
  readonly metric: IMetric;
  readonly threshold: number;
  /**
   * The alarm goes off if the metric breaches the threshold in `over` of the last `of` periods. Default: in one of one.
   */
  readonly periods?: { readonly over: number; readonly of: number };
  /**
   * If set, the alarm goes off when the metric is below the threshold or has no data. Otherwise it goes off when the
   * metric reaches the threshold.
   */
  readonly isHeartbeat?: true;
  /** What the alarm means and what to do about it; details are in infra/runbook. */
  readonly text: string;
}

export const PERIOD = Duration.minutes(5);
/** The period of alarms about events that happen once an hour. */
export const HOUR = Duration.hours(1);

/**
 * The sum of several metrics. A metric without data counts as 0; otherwise the whole sum would have no data.
 * @param period the same as that of the metrics
 */
export const sumOf = (metrics: readonly IMetric[], period = PERIOD): MathExpression =>
  new MathExpression({
    expression: metrics.map((_, index) => `FILL(m${index}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    period,
  });

/** The name of the installation's main stack, even if the scope is in one of its nested stacks. */
export const installationOf = (scope: Construct): string => {
  const stack = Stack.of(scope);
  return (stack.nestedStackParent ?? stack).stackName;
};

/** Creates a metric that counts the log lines that match a pattern. */
export const logged = (scope: Construct, name: string, logGroup: ILogGroup, filterPattern: IFilterPattern): Metric =>
  new MetricFilter(scope, `${name}Filter`, {
    logGroup,
    filterPattern,
    metricNamespace: installationOf(scope),
    metricName: name,
  }).metric({ statistic: Stats.SUM, period: PERIOD });

export const message = (code: string) => FilterPattern.stringValue('$.message', '=', code);
