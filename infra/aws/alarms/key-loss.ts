import { Stack } from 'aws-cdk-lib';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** Calls after which the key cannot decrypt. Those that fail are reported, too: someone tried. */
const CALLS = ['DisableKey', 'ScheduleKeyDeletion'];

/**
 * Reports to a topic that a KMS key is being disabled or deleted. AWS sends these events only if a CloudTrail trail logs the
 * account's management events.
 */
export function reportKeyLoss(scope: Construct, id: string, keyArn: string, topic: ITopic): void {
  const { eventName, caller } = {
    eventName: EventField.fromPath('$.detail.eventName'),
    caller: EventField.fromPath('$.detail.userIdentity.arn'),
  };
  const input = RuleTargetInput.fromText(
    `${caller} called ${eventName} for ${keyArn}. Without this key the service cannot decrypt signing secrets and ` +
      'payout details. See infra/runbook/alarms-silence.md, KeyDisabled.',
  );
  const rule = new Rule(scope, id, {
    description: 'Somebody disables or deletes the key that encrypts signing secrets and payout details.',
    eventPattern: {
      source: ['aws.kms'],
      detailType: ['AWS API Call via CloudTrail'],
      detail: { eventSource: ['kms.amazonaws.com'], eventName: CALLS, resources: { ARN: [keyArn] } },
    },
    // CDK's target for topics would let every rule of every account publish to this topic.
    targets: [{ bind: () => ({ arn: topic.topicArn, input }) }],
  });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: {
        // AWS does not promise that EventBridge names the source in its calls of Amazon SNS. A mail that never comes would be
        // worse than one that a stranger caused.
        StringEqualsIfExists: { 'aws:SourceAccount': Stack.of(scope).account },
        ArnEqualsIfExists: { 'aws:SourceArn': rule.ruleArn },
      },
    }),
  );
}

const refusals = ['KMSInvalidStateException', 'DisabledException'];

/** Log lines of functions that answer, and Lambda's own of those that end with the error. */
export const keyUnusable = FilterPattern.any(
  ...['$.error.name', '$.errorType'].flatMap((field) =>
    refusals.map((name) => FilterPattern.stringValue(field, '=', name)),
  ),
);
