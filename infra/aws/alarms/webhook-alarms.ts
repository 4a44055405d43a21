import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type AlarmDefinition, logged, message, PERIOD, sumOf } from '#infra/aws/alarms/alarm-metrics.ts';
import type { StreamConsumer } from '#infra/aws/endpoints/stream-consumer.ts';
import type { WakeQueue } from '#infra/aws/endpoints/wake-queue.ts';

/** The parts of the stack that turn changes of items into facts and trigger their delivery. */
export interface OutboxParts {
  readonly consumer: StreamConsumer;
  readonly scheduled: LambdaFunction;
}

/** The parts of the stack that send facts to the webhook endpoints of brands. */
export interface WebhookParts {
  readonly sender: LambdaFunction;
  readonly wakes: WakeQueue;
}

/** The alarms for facts, by name. @param scope construct for the metric filters of the log */
export const outboxAlarms = (
  scope: Construct,
  functionLog: ILogGroup,
  { consumer: { consumer, unprocessed }, scheduled }: OutboxParts,
): Record<string, AlarmDefinition> => ({
  OutboxLate: {
    metric: consumer.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: PERIOD }),
    threshold: Duration.minutes(10).toMilliseconds(),
    text: 'Webhooks and mails wait for ten minutes before they are begun. Search the log for "facts_delayed" and "mails_delayed".',
  },
  FactsFailed: {
    metric: sumOf([
      unprocessed.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: PERIOD }),
      logged(scope, 'FactsFailed', functionLog, message('fact_failed')),
      scheduled.metricErrors({ period: PERIOD }),
    ]),
    threshold: 1,
    text: 'Records were given up of which brands are not told, or the schedule failed. Search the log for "fact_failed"; infra/runbook/alarms-outbox.md says what to do.',
  },
});

const LONGEST_WAIT = Duration.minutes(30);

/** The alarms for webhooks, by name. @param scope construct for the metric filters of the log */
export const webhookAlarms = (
  scope: Construct,
  functionLog: ILogGroup,
  { sender, wakes }: WebhookParts,
): Record<string, AlarmDefinition> => ({
  DeliveriesLate: {
    metric: new MathExpression({
      // Two metrics are added: the age of the oldest message, in seconds, and a count of log lines. So the age is
      // turned into 0 or 1 first. The limit is half an hour, because a message may be delayed by up to 15 minutes.
      expression: `IF(FILL(age, 0) >= ${LONGEST_WAIT.toSeconds()}, 1, 0) + FILL(lines, 0)`,
      usingMetrics: {
        age: wakes.queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period: PERIOD }),
        lines: logged(
          scope,
          'DeliveriesLate',
          functionLog,
          FilterPattern.any(message('deliveries_late'), message('endpoint_not_woken')),
        ),
      },
      period: PERIOD,
    }),
    threshold: 1,
    periods: { over: 2, of: 3 },
    text: 'Webhooks are due and not sent: more endpoints are slow at once than webhookConcurrency allows, or the function that sends fails.',
  },
  DeliveriesFailing: {
    metric: sender.metricErrors({ period: PERIOD }),
    threshold: 5,
    periods: { over: 2, of: 3 },
    text: 'The function that sends webhooks fails. Nothing is lost: every run is repeated. Search the log for the errors of functions/queue/deliver.ts.',
  },
  WakesFailed: {
    metric: wakes.failed.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: PERIOD }),
    threshold: 1,
    text: 'The function that sends webhooks failed five times for the endpoints that the queue names. Mend the cause and purge the queue.',
  },
});
