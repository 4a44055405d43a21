import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { type Deployment, deployToEmulator } from '#infra/emulator/deployment.ts';
import { NoPython, NOT_POSSIBLE_HERE } from '#infra/emulator/python.ts';

type Described = Omit<Deployment, 'destroy' | 'stop'>;

declare module 'vitest' {
  interface ProvidedContext {
    readonly deployment: Described;
  }
}

/**
 * Vitest's global setup: one deployment for the whole run, destroyed at its end; or the running one described by the
 * variable DEPLOYMENT, as written by `npm run deploy:local`.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { destroy, stop, ...described } = await chosenDeployment();
  project.provide('deployment', described);
  Object.assign(process.env, {
    ...described.environment,
    HOME: process.env.HOME,
    TABLE_NAME: described.outputs.TableName,
    DYNAMODB_ENDPOINT: described.endpoint,
    BASE_URL: described.outputs.BaseUrl,
    DASHBOARD_URL: described.outputs.BaseUrl,
    DOCS_URL: `${described.outputs.BaseUrl}/docs/errors`,
    // The deployed functions use the real time; Stripe events have whole seconds.
    TEST_NOW: new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString(),
  });
  return async () => {
    await destroy();
    await stop();
    console.log('Seconds:', described.secondsOf);
  };
}

async function chosenDeployment(): Promise<Deployment> {
  const { DEPLOYMENT } = process.env;
  if (DEPLOYMENT) {
    const running = JSON.parse(await readFile(DEPLOYMENT, 'utf8')) as Described;
    return { ...running, destroy: () => Promise.resolve(), stop: () => Promise.resolve() };
  }
  try {
    return await deployToEmulator({ say: console.log });
  } catch (error) {
    if (!(error instanceof NoPython)) throw error;
    console.error(`\n⚠ NOT TESTED. ${error.message}`);
    return process.exit(NOT_POSSIBLE_HERE);
  }
}

/** The deployment of this run. */
export const deployment = (): Described => inject('deployment');
