import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type AlarmDefinition, HOUR, logged, message, PERIOD, sumOf } from '#infra/aws/alarms/alarm-metrics.ts';

/** The parts of the stack that deal only with mail. */
export interface MailParts {
  /**
   * The queue of bounces and complaints that were not recorded, because the function that records them could not be
   * called or failed.
   */
  readonly failedFeedback: IQueue;
}

/** The alarms for mail, by name. @param scope construct for the metric filters of the log */
export const mailAlarms = (
  scope: Construct,
  functionLog: ILogGroup,
  { failedFeedback }: MailParts,
): Record<string, AlarmDefinition> => ({
  MailsLate: {
    metric: logged(scope, 'MailsLate', functionLog, message('mails_delayed')),
    // The scheduled function logs this message at most once per run. It runs every minute, so a period of five minutes
    // has four to six runs.
    threshold: 3,
    periods: { over: 6, of: 6 },
    text: 'Mails wait for half an hour. Search the log for "mails_delayed", and compare the sending quota of Amazon SES.',
  },
  MailsFailed: {
    metric: sumOf([
      logged(scope, 'MailsFailed', functionLog, message('mail_failed')),
      failedFeedback.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: PERIOD }),
    ]),
    threshold: 1,
    text: 'Mails were given up, or a bounce or complaint was not recorded. Search the log for "mail_failed", and see the queue of failed feedback; infra/runbook/alarms-outbox.md says what to do.',
  },
  MailsNotTaken: {
    metric: logged(
      scope,
      'MailsNotTaken',
      functionLog,
      FilterPattern.any(message('mail_rejected'), message('mail_postponed'), message('mail_unanswered')),
    ),
    threshold: 10,
    text: 'Amazon SES does not take mails: is the sender verified, the account out of the sandbox, sending not paused?',
  },
  MailBounces: {
    metric: reputation('BounceRate'),
    threshold: 0.05,
    text: 'Five of a hundred mails bounce; Amazon SES reviews an account at that rate. See which kind of mail, and whose addresses.',
  },
  MailComplaints: {
    metric: reputation('ComplaintRate'),
    threshold: 0.001,
    text: 'One of a thousand mails is called unwanted; Amazon SES reviews an account at that rate. See which program invites whom.',
  },
});

/** A reputation metric, which Amazon SES computes for the whole account. */
const reputation = (name: string): Metric =>
  new Metric({
    namespace: 'AWS/SES',
    metricName: `Reputation.${name}`,
    statistic: Stats.MAXIMUM,
    period: HOUR,
  });
