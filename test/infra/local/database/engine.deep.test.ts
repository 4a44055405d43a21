import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { createTable } from '#infra/local/database/create-table.ts';
import { engineBinary } from '#infra/local/database/engine-binary.ts';
import { startEngine } from '#infra/local/database/engine.ts';

let folder: string;

const clientOf = (endpoint: string) => documentClient({ dynamodbEndpoint: endpoint, region: 'us-east-1' });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-test-'));
});

afterEach(() => rm(folder, { recursive: true }));

it('a local run on a platform without a database engine ends with an error that lists alternatives', () => {
  expect(() => engineBinary('plan9', 'x64')).toThrow(
    /not installed for plan9-x64\. Set DYNAMODB_ENDPOINT to .*DynamoDB Local.* or to AWS/,
  );
});

it('the local database engine stores its data in the given file', async () => {
  const dbPath = join(folder, 'engine.db');
  const first = await startEngine({ dbPath });
  await createTable(clientOf(first.endpoint), 'kept');
  await first.stop();
  const second = await startEngine({ dbPath });
  const { TableNames } = await clientOf(second.endpoint).send(new ListTablesCommand());
  expect(TableNames).toEqual(['kept']);
  await second.stop();
});

it('the local database engine reports why it did not start', async () => {
  const dbPath = join(folder, 'missing', 'engine.db');
  await expect(startEngine({ dbPath })).rejects.toThrow(/engine did not start: .*unable to open database file/);
});

const startAndPrint = `
  import { startEngine } from '#infra/local/database/engine.ts';
  const { endpoint, stop } = await startEngine();
  console.log(endpoint);
  process.once('SIGTERM', async () => { await stop(); process.exit(); });
  process.once('SIGUSR2', () => { throw new Error('nobody catches this'); });
  setInterval(() => {}, 60_000);
`;

it.each(['SIGTERM', 'SIGUSR2', 'SIGINT', 'SIGKILL'] as const)(
  'the engine ends and leaves no files if its parent process is ended by %s',
  async (signal) => {
    const owner = spawn(process.execPath, ['--input-type=module-typescript', '--eval', startAndPrint], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = await once(owner.stdout, 'data');
    const endpoint = String(line).trim();
    expect((await fetch(endpoint)).status).toBe(200);
    expect(await readdir(folder)).toHaveLength(1);
    owner.kill(signal);
    await vi.waitFor(async () => {
      await expect(fetch(endpoint)).rejects.toThrow('fetch failed');
      expect(await readdir(folder)).toEqual([]);
    });
  },
);
