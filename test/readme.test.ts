import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLocal } from '#test/local/local-process.ts';

const DEFAULT_ADDRESS = 'http://127.0.0.1:8787';
const run = promisify(execFile);

/** A command of the README, and the replies that the README shows below it. */
interface Example {
  readonly command: string;
  readonly replies: unknown[];
}

let folder: string;
let local: Awaited<ReturnType<typeof startLocal>>;
let examples: Example[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readme-'));
  local = await startLocal(folder);
  examples = examplesIn(await readFile('README.md', 'utf8'));
});

afterAll(async () => {
  await local.end();
  await rm(folder, { recursive: true });
});

it('answers every example of the README as the README says, in its order', async () => {
  const expected = examples.flatMap(({ replies }) => replies);
  // A second reply below one command is what the same call answers when it is repeated.
  const script = examples.flatMap(({ command, replies }) => (replies.length > 1 ? [command, command] : [command]));
  const { stdout } = await run('sh', ['-c', script.join('\n').replaceAll(DEFAULT_ADDRESS, local.run.base_url)], {
    cwd: folder,
  });
  const replies = stdout.match(/\{.*?\}(?=\{|\s*$|\n)/gs)?.map((reply) => JSON.parse(reply));
  expect(replies).toEqual(expected);
});

function examplesIn(readme: string): Example[] {
  const found: Example[] = [];
  for (const [, language, text = ''] of readme.matchAll(/^```(sh|json)\n(.*?)^```$/gms)) {
    if (language === 'json') found.at(-1)?.replies.push(JSON.parse(text, asPattern));
    else if (text.includes('curl') || text.includes('KEY=')) found.push({ command: text, replies: [] });
  }
  return found;
}

/** An ellipsis stands for whatever comes there. */
const asPattern = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.endsWith('…')
    ? expect.stringMatching(new RegExp(`^${value.slice(0, -1)}.+$`))
    : value;
