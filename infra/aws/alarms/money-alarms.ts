import { FilterPattern, type ILogGroup, type JsonPattern } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type AlarmDefinition, logged, message } from '#infra/aws/alarms/alarm-metrics.ts';

/** The routes that record or pay money, as patterns in which `*` matches any text. */
const routesOf = {
  sales: ['* /api/v1/track/sale', '*/refund'],
  payouts: ['*/payouts*', '*/payout-details'],
  processor: ['* /api/v1/webhooks/*', '* /api/v1/track/stripe'],
};

/**
 * Matches replies in the access log, which contains the status as text. The status is 503 if Lambda ended the function,
 * for example at its timeout.
 */
const answers = (routes: readonly string[], status: string): JsonPattern =>
  FilterPattern.all(
    either(routes.map((route) => FilterPattern.stringValue('$.route', '=', route))),
    FilterPattern.stringValue('$.status', '=', status),
  );

const either = (patterns: readonly JsonPattern[]): JsonPattern =>
  patterns.length === 1 ? patterns[0]! : FilterPattern.any(...patterns);

/** Alarms about money, by name. Most go off at the first failure, because it may concern the only sale of the day. */
export const moneyAlarms = (
  scope: Construct,
  { accessLog, functionLog }: { readonly accessLog: ILogGroup; readonly functionLog: ILogGroup },
): Record<string, AlarmDefinition> => ({
  SaleFailures: {
    metric: logged(scope, 'SaleFailures', accessLog, answers(routesOf.sales, '5*')),
    threshold: 1,
    text: 'A sale or refund failed with 500 or 503. Search the functions’ log for "request_failed"; brands send it again.',
  },
  PayoutFailures: {
    metric: logged(scope, 'PayoutFailures', accessLog, answers(routesOf.payouts, '5*')),
    threshold: 1,
    text: 'A request about payouts or payout details failed with 500 or 503. Search the functions’ log for "request_failed".',
  },
  PayoutsDelayed: {
    metric: logged(
      scope,
      'PayoutsDelayed',
      functionLog,
      FilterPattern.any(message('payout_delayed'), message('tier_unsettled')),
    ),
    // Each run of the schedule retries what failed and logs it again, and a period of five minutes has four to six
    // runs.
    threshold: 3,
    text: 'A payout, what a failed line gives back, or a commission by tiers cannot be completed. Search the log for "payout_delayed" and "tier_unsettled".',
  },
  WebhookFailures: {
    metric: logged(scope, 'WebhookFailures', accessLog, answers(routesOf.processor, '5*')),
    threshold: 1,
    text: 'Events of Stripe fail. Stripe repeats them for three days: mend the cause within that time.',
  },
  WebhookRefusals: {
    metric: logged(scope, 'WebhookRefusals', accessLog, answers(['* /api/v1/webhooks/*'], '400')),
    threshold: 10,
    text: 'Events are refused as wrongly signed. Compare the signing secret with the one that Stripe shows.',
  },
  MissingCommissions: {
    metric: logged(scope, 'MissingCommissions', functionLog, message('commission_failed')),
    threshold: 1,
    text: 'A sale was recorded without its commission. Mend the cause, then run "sale repair --all --stage <stage>".',
  },
  PaymentsUnlisted: {
    metric: logged(scope, 'PaymentsUnlisted', functionLog, message('unsold_payment_unnoted')),
    threshold: 1,
    text: 'A payment that is no sale is missing in its owner’s list. Search the log for "unsold_payment_unnoted", and have the brand send the sale again.',
  },
  IdsUsedElsewhere: {
    metric: logged(scope, 'IdsUsedElsewhere', functionLog, message('id_used_elsewhere')),
    threshold: 1,
    text: 'A sale was refused because another program’s sale, or a test sale, has its id. Tell the brand to prefix its ids.',
  },
});
