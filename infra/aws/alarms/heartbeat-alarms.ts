import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type AlarmDefinition, HOUR, logged, message, PERIOD } from '#infra/aws/alarms/alarm-metrics.ts';

/**
 * Functions that run in the background. No caller waits for them, so without an alarm no one would notice if one
 * stopped.
 */
export interface BackgroundParts {
  readonly scheduled: LambdaFunction;
  readonly rebuild: LambdaFunction;
  readonly counters: LambdaFunction;
  readonly outbox: LambdaFunction;
  readonly sender: LambdaFunction;
}

const stopped = (of: LambdaFunction, periods: number, text: string, period = PERIOD): AlarmDefinition => ({
  metric: of.metricInvocations({ statistic: Stats.SUM, period }),
  threshold: 1,
  periods: { over: periods, of: periods },
  isHeartbeat: true,
  text,
});

/**
 * Alarms that go off when a background function stops running. The schedule runs each minute; every five minutes it
 * sends a heartbeat to the stream consumers and to the sender of webhooks (send-heartbeat.ts), so that these run even
 * without traffic. The rebuild of counters has its own hourly rule.
 */
export const heartbeatAlarms = ({
  scheduled,
  rebuild,
  counters,
  outbox,
  sender,
}: BackgroundParts): Record<string, AlarmDefinition> => ({
  ScheduleStopped: stopped(
    scheduled,
    2,
    'functions/schedule/outbox.ts does not run. Is its EventBridge rule enabled, and the account’s concurrency not used up?',
  ),
  RebuildsStopped: stopped(
    rebuild,
    2,
    'functions/schedule/rebuild.ts does not run, so counters that "metrics rebuild" left stay wrong. Is its EventBridge rule enabled?',
    HOUR,
  ),
  CountersStopped: stopped(
    counters,
    3,
    'functions/stream/counters.ts does not run, so reports stand still. Is the event source mapping enabled?',
  ),
  OutboxStopped: stopped(
    outbox,
    3,
    'functions/stream/outbox.ts does not run, so no webhooks and mails begin. Is the event source mapping enabled?',
  ),
  SenderStopped: stopped(
    sender,
    3,
    'functions/queue/deliver.ts does not run, so no webhooks are sent. Is the event source mapping of its queue enabled?',
  ),
});

/**
 * Alarms for the canary, which uses the installation's public URL like a client.
 * @param scope construct for the metric filters of the log
 */
export const canaryAlarms = (scope: Construct, functionLog: ILogGroup): Record<string, AlarmDefinition> => ({
  CanaryFailing: {
    metric: logged(scope, 'CanaryPassed', functionLog, message('canary_passed')),
    threshold: 1,
    periods: { over: 2, of: 3 },
    isHeartbeat: true,
    text: 'A test click, lead and sale through the public URL do not succeed. Search the log for "canary_failed".',
  },
  CertificateExpiring: {
    metric: logged(scope, 'CertificateExpiring', functionLog, message('certificate_expiring')),
    threshold: 1,
    text: 'The certificate of the public URL expires within 21 days. Renew it, or find out in ACM why AWS has not.',
  },
});
