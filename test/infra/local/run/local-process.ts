import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, vi } from 'vitest';
import type { Run } from '#infra/local/run/run-file.ts';
import { compiledCode } from '#test/support/servers/compiled-code.ts';

type Variables = Readonly<Record<string, string>>;

const script = resolve('bin/local.ts');

/** Starts `npm start` in a separate process. It gets only the given variables, without the tests' engine. */
function startProcess(folder: string, variables: Variables) {
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    env: { PATH: process.env.PATH, TMPDIR: folder, PORT: '0', DEMO: 'small', ...compiledCode, ...variables },
  });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (text) => (said += text));
  return { child, ended: once(child, 'close'), said: () => said };
}

/** Starts a local run and waits until it is ready. */
export async function startLocal(folder: string, variables: Variables = {}) {
  const file = join(folder, '.local', 'run.json');
  await rm(file, { force: true });
  const startedAt = performance.now();
  const { child, ended, said } = startProcess(folder, variables);
  const run = await vi.waitFor(async (): Promise<Run> => JSON.parse(await readFile(file, 'utf8')), {
    timeout: 60_000,
    interval: 10,
  });
  const readyMs = performance.now() - startedAt;
  await vi.waitFor(() => expect(said()).toContain('Ctrl-C ends it.'), { timeout: 60_000 });

  /** @returns the exit code */
  async function end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number> {
    child.kill(signal);
    const [code] = await ended;
    return code;
  }
  return { run, readyMs, said, end };
}

/** Starts a local run that exits by itself. */
export async function failToStart(folder: string, variables: Variables): Promise<{ code: number; said: string }> {
  const { ended, said } = startProcess(folder, variables);
  const [code] = await ended;
  return { code, said: said() };
}
