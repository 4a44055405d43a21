import { setTimeout as pause } from 'node:timers/promises';
import type { CdkCustomResourceEvent, CdkCustomResourceResponse } from 'aws-lambda';
import { operatorDeps, type OperatorDeps } from '#lib/service/ground/effects/deps.ts';

/** A custom resource of the deployment. */
export interface DeployedResource {
  /** Creates or updates the resource. @returns its attributes, which are hidden from readers of the stack */
  readonly make: (deps: OperatorDeps) => Promise<Record<string, string>>;
}

export type ResourceHandler = (event: CdkCustomResourceEvent) => Promise<CdkCustomResourceResponse>;

/** How long to wait before each retry, in milliseconds. The permissions of a new role take seconds to become valid. */
const WAITS = [4_000, 8_000];

/**
 * A function that CloudFormation calls through CDK's provider. When the resource is deleted, nothing is done, because
 * the table is deleted anyway.
 */
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
