import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CommandFailed, runCommand } from '#infra/emulator/child-process.ts';

it('runCommand returns the output of the command', async () => {
  expect(await runCommand('sh', ['-c', 'echo $WORD; echo aside >&2'], { environment: { WORD: 'told' } })).toBe(
    'told\n',
  );
});

it('runCommand fails if the command fails, with the command’s error output', async () => {
  const failed = runCommand('sh', ['-c', 'echo why >&2; exit 75']);
  await expect(failed).rejects.toThrow(CommandFailed);
  await expect(failed).rejects.toMatchObject({ exitCode: 75, message: expect.stringContaining('why') });
});

it('runCommand, when aborted, ends the command and the processes that the command started', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'child-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'pid');
  const ending = new AbortController();
  const running = runCommand('sh', ['-c', `sleep 600 & echo $! > ${file}; wait`], { signal: ending.signal });
  // The command has ended when no process has its output open any more.
  const ended = running.catch((error: unknown) => error);
  await vi.waitFor(async () => expect(Number(await readFile(file, 'utf8'))).toBeGreaterThan(0));
  ending.abort(new Error('enough'));
  expect(await ended).toMatchObject({ message: 'enough' });
});
