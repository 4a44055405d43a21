import { Duration, Stack } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface AlarmDefinition {
  readonly metric: IMetric;
  readonly threshold: number;
  /** The number of periods (`over`) among the last `of` periods that must exceed the threshold. */
  readonly periods?: { readonly over: number; readonly of: number };
  /** Rings if the metric stays below the threshold, or has no data. Default: if it reaches the threshold. */
  readonly isHeartbeat?: true;
  /** What the alarm means and what to do about it; details are in infra/runbook. */
  readonly text: string;
}

export const PERIOD = Duration.minutes(5);
/** The period of alarms about events that happen once an hour. */
export const HOUR = Duration.hours(1);

/**
 * Missing metrics count as 0; otherwise one metric without data would make the whole sum empty.
 * @param period the same as that of the metrics
 */
export const sumOf = (metrics: readonly IMetric[], period = PERIOD): MathExpression =>
  new MathExpression({
    expression: metrics.map((_, index) => `FILL(m${index}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    period,
  });

/** The name of the installation's stack, also from within a nested stack. */
export const installationOf = (scope: Construct): string => {
  const stack = Stack.of(scope);
  return (stack.nestedStackParent ?? stack).stackName;
};

/** A metric that counts matching log lines. */
export const logged = (scope: Construct, name: string, logGroup: ILogGroup, filterPattern: IFilterPattern): Metric =>
  new MetricFilter(scope, `${name}Filter`, {
    logGroup,
    filterPattern,
    metricNamespace: installationOf(scope),
    metricName: name,
  }).metric({ statistic: Stats.SUM, period: PERIOD });

export const message = (code: string) => FilterPattern.stringValue('$.message', '=', code);
