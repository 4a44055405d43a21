import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CommandFailed } from '#infra/emulator/child-process.ts';
import { emulatorAssembly, runCdk } from '#infra/emulator/assembly.ts';
import { recordName } from '#infra/aws/deployment/deployment-record.ts';
import example from '#infra/stages/example.json' with { type: 'json' };
import { type Answer, startParameterServer } from '#test/infra/aws/deployment/parameter-server.ts';

// Tests the CDK's own command, which deploys what it has synthesized, with credentials and a stage's file.

let folder: string;
let answer: Answer;
let server: Awaited<ReturnType<typeof startParameterServer>>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cdk-process-'));
  await mkdir(join(folder, 'home'));
  // Nothing is deployed, so the functions need not be bundled.
  vi.stubEnv('CDK_BUILD', 'true');
  await writeFile(join(folder, 'prod.json'), JSON.stringify({ ...example, alarmEmail: null }));
  server = await startParameterServer(() => answer);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
  await rm(folder, { recursive: true });
});

const synth = (...words: readonly string[]) =>
  runCdk(['synth', '--quiet', '--output', join(folder, 'out'), '-c', 'stage=prod', ...words], {
    environment: { ...server.environment, STAGES_FOLDER: folder, HOME: join(folder, 'home') },
  });

const failureOf = (running: Promise<unknown>): Promise<string> =>
  running.then(
    () => 'It did not fail.',
    (error: unknown) => (error instanceof CommandFailed ? error.message : Promise.reject(error)),
  );

const deployed = { settings: { alarmEmail: 'ops@example.com', requireMfa: 'true' }, outputs: {} };

it('a deployment without a deployed setting that the stage’s file no longer has is refused, with only a message', async () => {
  answer = { value: JSON.stringify(deployed) };
  const failure = await failureOf(synth('-c', 'accept=mailFrom,requireMfa'));
  expect(failure.split('\n').slice(1)).toEqual([
    '',
    'This deployment of prod would drop or weaken settings that are deployed:',
    '  alarmEmail: ops@example.com would become not set',
    'Put them into infra/stages/prod.json. If the change is meant, add -c accept=mailFrom,requireMfa,alarmEmail',
    '',
    'node bin/app.ts: Subprocess exited with error 1',
  ]);
  expect(server.asked).toEqual([recordName('prod')]);
});

it('a deployment is refused if the record of deployed settings may not be read', async () => {
  answer = { error: 'AccessDeniedException' };
  expect(await failureOf(synth())).toContain('could not be read. AccessDeniedException: no\nRepair that');
});

it('a deployment to the emulator ignores the settings in the operator’s file', async () => {
  await writeFile(join(folder, 'dev.json'), JSON.stringify({ ofTheOperator: 'file' }));
  vi.stubEnv('STAGES_FOLDER', folder);
  // A setting that fails after a file was read, because the rest of a synthesis takes long.
  const settings = { stage: 'dev', edgeLog: 'maybe' };
  const assembly = emulatorAssembly({ folder: join(folder, 'out'), settings, binFolder: folder, port: 1 });
  expect(await failureOf(assembly)).toContain('\nedgeLog must be');
});
