import { Stack } from 'aws-cdk-lib';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/**
 * KMS calls after which the key cannot decrypt. A failed call is reported as well, because someone tried to disable or
 * delete the key.
 */
const CALLS = ['DisableKey', 'ScheduleKeyDeletion'];

/**
 * Publishes a message to the topic if someone disables or deletes the KMS key. AWS sends these events only if a
 * CloudTrail trail logs the account's management events.
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
    // The rule's target is built by hand, because CDK's target would let every EventBridge rule of every account
    // publish to this topic.
    targets: [{ bind: () => ({ arn: topic.topicArn, input }) }],
  });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: {
        // The conditions apply only if the call names its source, which AWS does not promise for EventBridge's calls of
        // Amazon SNS. A missed warning would be worse than a false one that someone else's rule causes.
        StringEqualsIfExists: { 'aws:SourceAccount': Stack.of(scope).account },
        ArnEqualsIfExists: { 'aws:SourceArn': rule.ruleArn },
      },
    }),
  );
}

const refusals = ['KMSInvalidStateException', 'DisabledException'];

/**
 * Matches errors of an unusable key in the log: in lines that functions write when they reply with an error, and in
 * lines that Lambda writes when a function throws.
 */
export const keyUnusable = FilterPattern.any(
  ...['$.error.name', '$.errorType'].flatMap((field) =>
    refusals.map((name) => FilterPattern.stringValue(field, '=', name)),
  ),
);
