import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { ParameterTier, StringParameter } from 'aws-cdk-lib/aws-ssm';
import { recordName } from '#infra/aws/deployment/deployment-record.ts';
import { recordedSettings } from '#infra/aws/deployment/weakened-settings.ts';
import type { Settings } from '#infra/aws/settings.ts';

/** Outputs that operator commands need. */
const RECORDED: ReadonlySet<string> = new Set(['BaseUrl', 'TableName']);

/** Publishes the stack's outputs, and records what it was deployed with for the next deployment and for commands. */
export function publishOutputs(
  stack: Stack,
  { stage, texts }: Settings,
  outputs: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(outputs)) new CfnOutput(stack, name, { value });
  const recorded = Object.entries(outputs).filter(([name]) => RECORDED.has(name));
  new StringParameter(stack, 'Deployed', {
    parameterName: recordName(stage),
    description: 'Settings and addresses of the last deployment, without secrets',
    stringValue: stack.toJsonString({ settings: recordedSettings(texts), outputs: Object.fromEntries(recorded) }),
    // The standard tier, which is free, takes 4 KB.
    tier: ParameterTier.INTELLIGENT_TIERING,
  });
}
