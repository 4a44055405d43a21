import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import type { EndpointFunction } from '#infra/aws/endpoints/endpoint-function.ts';

/** Runs a function every few minutes. There is no retry, because the next run comes soon enough. */
export const runEvery = (scope: Construct, id: string, scheduled: EndpointFunction, minutes: number): Rule =>
  new Rule(scope, id, {
    schedule: Schedule.rate(Duration.minutes(minutes)),
    targets: [new FunctionTarget(scheduled, { retryAttempts: 0 })],
  });
