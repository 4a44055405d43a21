import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { expect, vi } from 'vitest';

export const keys = { enter: '\r', down: '\u001b[B', ctrlC: '\u0003' };

/** Runs a command in a pseudo-terminal, with the program `script` of util-linux. */
export function openTerminal(
  command: string,
  { folder, environment }: { readonly folder: string; readonly environment: Readonly<Record<string, string>> },
) {
  const child = spawn('script', ['-qec', `stty cols 100 rows 40; exec ${command}`, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env.PATH, TERM: 'xterm', SHELL: '/bin/sh', ...environment },
  });
  let written = '';
  let readTo = 0;
  child.stdout.setEncoding('utf8').on('data', (text) => (written += text));
  const ended = once(child, 'close');

  return {
    /** Waits until the output contains this text, after the text of the previous wait. */
    async shows(text: string) {
      await vi.waitFor(
        () => {
          const shown = stripVTControlCharacters(written.slice(readTo));
          expect(shown).toContain(text);
        },
        { timeout: 20_000, interval: 20 },
      );
      readTo = written.length;
    },
    type: (text: string) => child.stdin.write(text),
    /**
     * Waits for the end of the command.
     * @returns all output, including the terminal's control characters, and the exit code
     */
    async end() {
      const [code] = (await ended) as [number];
      return { code, written, shown: stripVTControlCharacters(written).replaceAll('\r', '') };
    },
  };
}
