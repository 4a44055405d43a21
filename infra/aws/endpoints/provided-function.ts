import { type CfnElement, Names, Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

const LOG_POLICY = 'Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';
const REASON = 'A function that CDK provides and maintains; it runs while a deployment is under way, and only then.';

/**
 * Acknowledges cdk-nag's findings about a helper function that CDK adds to the stack.
 * @param wildcards the exact wildcards in its permissions
 */
export function acknowledgeProvided(provided: IConstruct, wildcards: readonly string[]): void {
  Validations.of(provided).acknowledge(
    { id: `AwsSolutions-IAM4[${LOG_POLICY}]`, reason: REASON },
    { id: 'AwsSolutions-L1', reason: REASON },
    ...wildcards.map((wildcard) => ({ id: `AwsSolutions-IAM5[${wildcard}]`, reason: REASON })),
  );
}

/** A resource's ARN as cdk-nag spells it. */
export const arnIn = (construct: IConstruct): string => {
  const resource = construct.node.defaultChild as CfnElement;
  return `<${Stack.of(construct).resolve(resource.logicalId)}.Arn>`;
};

/** The ARN as cdk-nag spells it in a nested stack, which receives the ARN as a parameter. */
export const nestedArnOf = (construct: IConstruct): string =>
  `<referenceto${Names.nodeUniqueId(construct.node.defaultChild!.node)}Arn>`;
