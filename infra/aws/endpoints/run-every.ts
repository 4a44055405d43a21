import { Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';

/**
 * Runs a function every so many minutes. Alarms count the runs in fixed intervals such as 12:00 to 12:05, so each run
 * starts in the middle of such an interval. Near its end, a late run could fall into the next interval: that one would
 * then have two runs, and the one before it none.
 */
export function runEvery(minutes: number, target: LambdaFunction): void {
  const middle = Math.floor(minutes / 2);
  new Rule(Stack.of(target), `${target.node.id} rule`, {
    schedule:
      minutes === 1 || minutes >= 60
        ? Schedule.rate(Duration.minutes(minutes))
        : Schedule.cron({ minute: `${middle}/${minutes}` }),
    // A failed run is not retried, because the next run comes soon enough.
    targets: [new FunctionTarget(target, { retryAttempts: 0 })],
  });
}
