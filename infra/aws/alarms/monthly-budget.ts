import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import { installationOf } from '#infra/aws/alarms/alarm-metrics.ts';

export interface MonthlyBudgetProps {
  readonly usd: number;
  readonly email: string;
}

/**
 * A budget of AWS Budgets. It sends a mail when the account's costs of this month exceed the amount, or are forecast to
 * exceed it. The budget counts the whole account, because AWS can count a single stack only by a tag that someone has
 * activated for billing.
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
