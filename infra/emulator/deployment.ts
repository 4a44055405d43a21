import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { emulatorAssembly, runCdk } from '#infra/emulator/assembly.ts';
import { ACCOUNT, type MiniStack, REGION, startMiniStack } from '#infra/emulator/ministack.ts';
import { installedEmulator } from '#infra/emulator/python.ts';
import { freePort } from '#infra/local/process/free-port.ts';

export interface Deployment {
  /** Environment variables that make AWS clients use the emulator. */
  readonly environment: Readonly<Record<string, string>>;
  readonly endpoint: string;
  readonly port: number;
  readonly outputs: Readonly<Record<string, string>>;
  /** Folder with all files of this deployment; the emulator's log in it is `ministack.log`. */
  readonly folder: string;
  /** Folder with the emulator's commands, which are Python programs; the AWS command line is one of them. */
  readonly binFolder: string;
  readonly secondsOf: Readonly<Record<string, number>>;
  /** Deletes the stack with the same command that an operator uses. */
  readonly destroy: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface DeploymentOptions {
  /** Receives lines about the progress. */
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
}

export const STACK = 'ReferralTracking-dev';

/** Deployment settings that turn on all parts of the stack except the canary, which would call the real CloudFront. */
const settings = { stage: 'dev', mailFrom: 'referrals@example.com', stripeConnectClientId: 'ca_emulator' };

/**
 * Deploys the stage `dev` to the AWS emulator MiniStack in a temporary folder, then restarts the emulator so that it
 * enforces IAM permissions on every call. During the deployment they are not enforced, because the permissions of CDK's
 * own functions are not part of the product.
 */
export async function deployToEmulator({ say, signal }: DeploymentOptions): Promise<Deployment> {
  const binFolder = await installedEmulator(signal);
  const folder = await mkdtemp(join(tmpdir(), 'referral-emulator-'));
  const port = await freePort();
  const environment = environmentFor(port, folder);
  const assembly = join(folder, 'assembly');
  const secondsOf: Record<string, number> = {};
  const timed = async <T>(name: string, step: () => Promise<T>): Promise<T> => {
    say(`${name} …`);
    const start = performance.now();
    const result = await step();
    secondsOf[name] = Math.round((performance.now() - start) / 1_000);
    return result;
  };
  const cdk = (words: readonly string[]) =>
    runCdk([...words, '--app', assembly, '--no-notices'], { cwd: folder, environment, signal });
  const emulator = { binFolder, folder, port, signal };
  let running: MiniStack | undefined;
  const stop = async () => {
    await running?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await mkdir(join(folder, 'home'));
    await timed('synth', () => emulatorAssembly({ folder: assembly, settings, binFolder, port, signal }));
    running = await startMiniStack({ ...emulator, enforcesIam: false });
    await timed('bootstrap', () => cdk(['bootstrap', `aws://${ACCOUNT}/${REGION}`]));
    const outputsFile = join(folder, 'outputs.json');
    await timed('deploy', () => cdk(['deploy', '--require-approval', 'never', '--outputs-file', outputsFile, STACK]));
    const outputs = JSON.parse(await readFile(outputsFile, 'utf8'))[STACK] as Record<string, string>;
    await running.stop();
    running = await timed('restart with IAM', () => startMiniStack({ ...emulator, enforcesIam: true }));
    const destroy = async () => {
      await timed('destroy', () => cdk(['destroy', '--force', STACK]));
    };
    return { environment, endpoint: running.endpoint, port, outputs, folder, binFolder, secondsOf, destroy, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const environmentFor = (port: number, folder: string) => ({
  AWS_ENDPOINT_URL: `http://localhost:${port}`,
  // Because S3 has a separate endpoint here, the CDK puts bucket names into paths rather than into host names.
  AWS_ENDPOINT_URL_S3: `http://localhost:${port}`,
  AWS_ACCESS_KEY_ID: ACCOUNT,
  AWS_SECRET_ACCESS_KEY: 'emulator',
  AWS_REGION: REGION,
  AWS_DEFAULT_REGION: REGION,
  CDK_DISABLE_CLI_TELEMETRY: 'true',
  // The CDK stores account ids by access key in its home folder, so the emulator needs a separate one.
  HOME: join(folder, 'home'),
});
