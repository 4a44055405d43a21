import { setTimeout as pause } from 'node:timers/promises';
import type { CdkCustomResourceEvent, CdkCustomResourceResponse } from 'aws-lambda';
import { operatorDeps, type OperatorDeps } from '#lib/service/deps.ts';

/** What a deployment makes besides what CloudFormation knows. */
export interface DeployedResource {
  /** Makes it, at its creation and at every change. @returns its attributes, which no reader of the stack sees */
  readonly make: (deps: OperatorDeps) => Promise<Record<string, string>>;
}

export type ResourceHandler = (event: CdkCustomResourceEvent) => Promise<CdkCustomResourceResponse>;

/** A role's permissions reach all of AWS over seconds. Before each further attempt, in milliseconds. */
const WAITS = [4_000, 8_000];

/** A function that CloudFormation calls through CDK's provider. What it made goes with the table. */
export const resourceHandler =
  ({ make }: DeployedResource, wait: (ms: number) => Promise<unknown> = pause): ResourceHandler =>
  async (event) => {
    const PhysicalResourceId = event.LogicalResourceId;
    if (event.RequestType === 'Delete') return { PhysicalResourceId };
    const Data = await oncePermitted(async () => make(await operatorDeps(process.env, Date.now)), wait);
    return { PhysicalResourceId, NoEcho: true, Data };
  };

async function oncePermitted<T>(attempt: () => Promise<T>, wait: (ms: number) => Promise<unknown>): Promise<T> {
  for (const ms of WAITS) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'AccessDeniedException') throw error;
      await wait(ms);
    }
  }
  return attempt();
}
