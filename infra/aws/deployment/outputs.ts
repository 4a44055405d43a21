import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { ParameterTier, StringParameter } from 'aws-cdk-lib/aws-ssm';
import { recordName } from '#infra/aws/deployment/deployment-record.ts';
import { recordedSettings } from '#infra/aws/deployment/weakened-settings.ts';
import type { Settings } from '#infra/aws/settings.ts';

/** Stack outputs that operator commands need, and that are therefore recorded. */
const RECORDED: ReadonlySet<string> = new Set(['BaseUrl', 'TableName']);

/** Publishes the stack's outputs, and records the deployed settings, which commands and the next deployment read. */
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
    // Parameter Store chooses the free standard tier if the text is at most 4 KB.
    tier: ParameterTier.INTELLIGENT_TIERING,
  });
}
