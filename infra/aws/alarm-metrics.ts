import { Duration, Stack } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** The definition of an alarm. */
export interface AlarmDefinition {
  readonly metric: IMetric;
  readonly threshold: number;
  /** Which of the last periods must be over it. */
  readonly periods?: { readonly over: number; readonly of: number };
  /** What it means and what to do; details are in infra/RUNBOOK.md. */
  readonly text: string;
}

export const PERIOD = Duration.minutes(5);

/** A metric without data would make the whole sum empty. */
export const sumOf = (metrics: readonly IMetric[]): MathExpression =>
  new MathExpression({
    expression: metrics.map((_, index) => `FILL(m${index}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    period: PERIOD,
  });

/** The name of the installation's stack, from a nested one too. */
export const installationOf = (scope: Construct): string => {
  const stack = Stack.of(scope);
  return (stack.nestedStackParent ?? stack).stackName;
};

/** How many lines of a log match. */
export const logged = (scope: Construct, name: string, logGroup: ILogGroup, filterPattern: IFilterPattern): Metric =>
  new MetricFilter(scope, `${name}Filter`, {
    logGroup,
    filterPattern,
    metricNamespace: installationOf(scope),
    metricName: name,
  }).metric({ statistic: Stats.SUM, period: PERIOD });

export const message = (code: string) => FilterPattern.stringValue('$.message', '=', code);
