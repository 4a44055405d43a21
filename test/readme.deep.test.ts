import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocal } from '#test/infra/local/run/local-process.ts';

const DEFAULT_ADDRESS = 'http://127.0.0.1:8787';
const run = promisify(execFile);

/** A document's command, and the replies shown below it. */
interface Example {
  readonly command: string;
  readonly replies: unknown[];
}

// Each document starts with a fresh local run, like its reader. The CLI examples use nothing of the demo, so its
// history is not needed.
describe.each([
  { documents: ['README.md'], DEMO: '1' },
  { documents: ['lib/apps/cli/README.md'], DEMO: 'small' },
  // The second document continues where the first one ends.
  { documents: ['lib/apps/dashboard/http.md', 'lib/apps/dashboard/stripe.md'], DEMO: '1' },
])('the commands in $documents, run in order,', ({ documents, DEMO }) => {
  let folder: string;
  let local: Awaited<ReturnType<typeof startLocal>>;
  let examples: Example[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'readme-'));
    local = await startLocal(folder, { DEMO });
    const texts = await Promise.all(documents.map((document) => readFile(document, 'utf8')));
    examples = texts.flatMap(examplesIn);
  });

  afterAll(async () => {
    await local.end();
    await rm(folder, { recursive: true });
  });

  it('return the replies that the documents show', async () => {
    const expected = examples.flatMap(({ replies }) => replies);
    expect(expected.length).toBeGreaterThan(0);
    const script = examples.map(({ command }) => command);
    const { stdout } = await run('sh', ['-c', script.join('\n').replaceAll(DEFAULT_ADDRESS, local.run.base_url)], {
      cwd: folder,
    });
    // Replies follow each other without a separator, except for echoed ones.
    const replies = stdout.replaceAll(/}\s*{/g, '}\n{').trim().split('\n');
    expect(replies.map((reply) => JSON.parse(reply))).toEqual(expected);
  });

  function examplesIn(text: string): Example[] {
    const found: Example[] = [];
    for (const [, language, block = ''] of text.matchAll(/^```(sh|json)\n(.*?)^```$/gms)) {
      if (language === 'json') found.at(-1)?.replies.push(JSON.parse(block, asPattern));
      else if (!block.includes('npm start')) found.push({ command: block, replies: [] });
    }
    return found;
  }

  /** Replaces a value that ends with an ellipsis by a pattern for any text. */
  const asPattern = (_: string, value: unknown): unknown =>
    typeof value === 'string' && value.endsWith('…')
      ? expect.stringMatching(new RegExp(`^${RegExp.escape(value.slice(0, -1))}.+$`))
      : withoutDefault(value);

  /** The documents show the default address; the test uses another one. */
  const withoutDefault = (value: unknown): unknown =>
    typeof value === 'string' ? value.replace(DEFAULT_ADDRESS, local.run.base_url) : value;
});
