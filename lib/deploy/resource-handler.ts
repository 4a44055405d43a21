import type { CdkCustomResourceEvent, CdkCustomResourceResponse } from 'aws-lambda';
import type { OperatorDeps } from '#lib/deps.ts';
import { operatorDeps } from '#lib/operator/operator-deps.ts';

/** What a deployment makes besides what CloudFormation knows. */
export interface DeployedResource {
  /** Makes it, at its creation and at every change. @returns its attributes, which no reader of the stack sees */
  readonly make: (deps: OperatorDeps) => Promise<Record<string, string>>;
}

export type ResourceHandler = (event: CdkCustomResourceEvent) => Promise<CdkCustomResourceResponse>;

/** A function that CloudFormation calls through CDK's provider. What it made goes with the table. */
export const resourceHandler =
  ({ make }: DeployedResource): ResourceHandler =>
  async (event) => {
    const PhysicalResourceId = event.LogicalResourceId;
    if (event.RequestType === 'Delete') return { PhysicalResourceId };
    return { PhysicalResourceId, NoEcho: true, Data: await make(await operatorDeps(process.env, Date.now)) };
  };
