import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import { installationOf } from '#infra/aws/alarms/alarm-metrics.ts';

export interface MonthlyBudgetProps {
  readonly usd: number;
  readonly email: string;
}

/**
 * Mails from AWS Budgets when the account has cost the amount in this month, or will have by its end. It counts the whole
 * account: to count by stack, AWS needs a tag that was activated for billing.
 */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { usd, email }: MonthlyBudgetProps) {
    super(scope, id);
    new CfnBudget(this, 'Month', {
      budget: {
        budgetName: installationOf(this),
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: usd, unit: 'USD' },
      },
      notificationsWithSubscribers: ['FORECASTED', 'ACTUAL'].map((notificationType) => ({
        notification: {
          notificationType,
          comparisonOperator: 'GREATER_THAN',
          threshold: 100,
          thresholdType: 'PERCENTAGE',
        },
        subscribers: [{ subscriptionType: 'EMAIL', address: email }],
      })),
    });
  }
}
