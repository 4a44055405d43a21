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

it('`cdk synth` is refused with a short message if the stage’s file lacks a setting that is deployed', async () => {
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

it('`cdk synth` is refused if AWS denies reading the record of deployed settings', async () => {
  answer = { error: 'AccessDeniedException' };
  expect(await failureOf(synth())).toContain('could not be read. AccessDeniedException: no\nRepair that');
});

it('a deployment to the emulator ignores the operator’s settings file of the stage', async () => {
  await writeFile(join(folder, 'dev.json'), JSON.stringify({ ofTheOperator: 'file' }));
  vi.stubEnv('STAGES_FOLDER', folder);
  // A setting that fails after a file was read, because the rest of a synthesis takes long.
  const settings = { stage: 'dev', edgeLog: 'maybe' };
  const assembly = emulatorAssembly({ folder: join(folder, 'out'), settings, binFolder: folder, port: 1 });
  expect(await failureOf(assembly)).toContain('\nedgeLog must be');
});
