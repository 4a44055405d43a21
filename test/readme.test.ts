import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLocal } from '#test/infra/local/local-process.ts';

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
  const script = examples.map(({ command }) => command);
  const { stdout } = await run('sh', ['-c', script.join('\n').replaceAll(DEFAULT_ADDRESS, local.run.base_url)], {
    cwd: folder,
  });
  // Replies follow each other without a separator, but for echoed ones.
  const replies = stdout.replaceAll(/}\s*{/g, '}\n{').trim().split('\n');
  expect(replies.map((reply) => JSON.parse(reply))).toEqual(expected);
});

function examplesIn(readme: string): Example[] {
  const found: Example[] = [];
  for (const [, language, text = ''] of readme.matchAll(/^```(sh|json)\n(.*?)^```$/gms)) {
    if (language === 'json') found.at(-1)?.replies.push(JSON.parse(text, asPattern));
    else if (!text.includes('npm start')) found.push({ command: text, replies: [] });
  }
  return found;
}

/** An ellipsis stands for whatever comes there. */
const asPattern = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.endsWith('…')
    ? expect.stringMatching(new RegExp(`^${RegExp.escape(value.slice(0, -1))}.+$`))
    : withoutDefault(value);

/** The README shows the default address; the test listens elsewhere. */
const withoutDefault = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(DEFAULT_ADDRESS, local.run.base_url) : value;
