import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeClockOffsetMs } from '#lib/service/ground/counters/clock-offset-items.ts';
import { compiledCode } from '#test/support/servers/compiled-code.ts';
import { startParameterServer } from '#test/infra/aws/deployment/parameter-server.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests `npm run operator` as a separate process with only its folder and its environment.

const script = resolve('bin/operator.ts');
const world = openedWorld();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'operator-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** @param environment variables in addition to the search path */
function run(words: readonly string[], environment: Readonly<Record<string, string | undefined>>, input = '') {
  return new Promise((ended) => {
    const options = { cwd: folder, env: { PATH: process.env.PATH, ...compiledCode, ...environment } };
    const child = execFile(process.execPath, [script, ...words], options, (_, stdout, stderr) =>
      ended({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin!.end(input);
  });
}

const engine = () => ({ DYNAMODB_ENDPOINT: process.env.DYNAMODB_ENDPOINT });
const table = () => ({ TABLE_NAME: world.tableName, ...engine() });
const list = ['agent-key', 'list', '--json'];
const listed = { code: 0, stdout: '{"keys":[]}\n', stderr: '' };

const importing = async (...words: readonly string[]) => {
  const { program } = await world.brand();
  return { program, words: ['key', 'import-legacy', '--program', `${program.id}`, '--json', ...words] };
};

describe('the process `node bin/operator.ts`', () => {
  it('reads a key to import from stdin, where other users of the machine cannot see it', async () => {
    const { program, words } = await importing('--key-stdin');
    const key = `an-older-key-${crypto.randomUUID()}`;
    const taken = { program_id: program.id, api_token_masked: `****${key.slice(-4)}` };
    expect(await run(words, table(), `${key}\n`)).toEqual({
      code: 0,
      stdout: `${JSON.stringify(taken)}\n`,
      stderr: '',
    });
  });

  it('fails, without printing a key, if a key is given by flag and on stdin', async () => {
    const { words } = await importing('--key-stdin', '--key', 'an-older-key-of-argv');
    const { stdout } = (await run(words, table(), 'an-older-key-of-input\n')) as { stdout: string };
    expect(stdout).toContain('--key is given more than once');
    expect(stdout).not.toContain('an-older-key');
  });

  it('prints one JSON object and ends with exit code 0', async () => {
    expect(await run(list, table())).toEqual(listed);
  });

  it('prints an error and ends with exit code 1 if the command fails', async () => {
    const words = ['sale', 'repair', '--transaction', 'nobody-sold-it'];
    expect(await run(words, table())).toEqual({ code: 1, stdout: '', stderr: 'Sale not found\n' });
    const json = { code: 1, stdout: '{"error":"Sale not found"}\n', stderr: '' };
    expect(await run([...words, '--json'], table())).toEqual(json);
  });

  it('fails if no table is named and no local run has been started in its folder', async () => {
    const stderr = 'Which table? Name the stage with --stage <stage>, or the table in TABLE_NAME.\n';
    expect(await run(list.slice(0, 2), {})).toEqual({ code: 1, stdout: '', stderr });
  });

  it('uses the table of the local run that was started in its folder, unless the environment names another', async () => {
    await mkdir(join(folder, '.local'));
    const runFile = { table_name: world.tableName, dynamodb_endpoint: process.env.DYNAMODB_ENDPOINT };
    await writeFile(join(folder, '.local', 'run.json'), JSON.stringify(runFile));
    expect(await run(list, {})).toEqual(listed);
    // If the environment names only an engine, the local run's table is not used.
    expect(await run(list, engine())).toMatchObject({ code: 1, stdout: expect.stringContaining('error') });
    const elsewhere = { TABLE_NAME: 'elsewhere', DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' };
    expect(await run(list, elsewhere)).toMatchObject({ code: 1, stdout: expect.stringContaining('ECONNREFUSED') });
  });

  it('uses the table of the stage in --stage even if there is a local run', async () => {
    await writeFile(join(folder, 'dev.json'), '{}');
    const outputs = { TableName: world.tableName, BaseUrl: 'https://d1.cloudfront.net' };
    const server = await startParameterServer(() => ({ value: JSON.stringify({ settings: {}, outputs }) }));
    const environment = { ...server.environment, ...engine(), STAGES_FOLDER: folder };
    expect(await run([...list, '--stage', 'dev'], environment)).toEqual(listed);
    expect(await run([...list, '--stage', 'prod'], environment)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('There is no infra/stages/prod.json.'),
    });
    expect(server.asked).toEqual(['/referral-tracking/dev/deployed']);
    await server.close();
  });

  it('uses the clock of the local run, which can differ from the real time', async () => {
    const { program } = await world.brand();
    const mark = ['key', 'mark-rotation', '--program', `${program.id}`, '--deadline', '2030-01-01T00:00:00Z', '--json'];
    const markedAt = async () => {
      const { stdout } = (await run(mark, table())) as { stdout: string };
      return Date.parse(JSON.parse(stdout).rotation_marked_at);
    };
    const hourMs = 3_600_000;
    await writeClockOffsetMs(world.deps().table, 100 * hourMs);
    const [before, at, after] = [Date.now(), await markedAt(), Date.now()];
    expect(at - 100 * hourMs).toBeGreaterThanOrEqual(before);
    expect(at - 100 * hourMs).toBeLessThanOrEqual(after);
  });
});
