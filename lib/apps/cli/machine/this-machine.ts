import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Prompter, CliEnvironment } from '#lib/apps/cli/machine/cli-environment.ts';

/** Returns the real environment: this process, its terminal, and its machine. */
export async function thisMachine(version: string, interrupted: AbortSignal): Promise<CliEnvironment> {
  const { env: environment, stdin, stderr } = process;
  return {
    environment,
    folder: process.cwd(),
    home: homedir(),
    version,
    platform: process.platform,
    // oxlint-disable-next-line no-console -- all results are printed here
    out: (line) => console.log(line),
    // oxlint-disable-next-line no-console -- all other lines are printed here
    error: (line) => console.error(line),
    openBrowser,
    now: Date.now,
    sleep: (ms) => sleep(ms),
    person:
      stdin.isTTY && stderr.isTTY ? await personAt(environment.NO_COLOR ? colourless(stderr) : stderr) : undefined,
    interrupted,
  };
}

// The packages for the browser and for prompts are imported only when needed, because most commands need neither.

async function openBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  await open(url);
}

async function personAt(output: NodeJS.WriteStream): Promise<Prompter> {
  const { clackPrompter } = await import('#lib/apps/cli/machine/clack-prompter.ts');
  return clackPrompter(output);
}

/** Removes colours from everything that is written to the stream, because Node 20 ignores NO_COLOR. */
function colourless(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  // oxlint-disable-next-line no-control-regex -- the sequence to remove begins with the escape character
  const colours = /\u001b\[[\d;]*m/g;
  const write = (text: string | Uint8Array) =>
    stream.write(typeof text === 'string' ? text.replaceAll(colours, '') : text);
  return Object.create(stream, { write: { value: write } });
}
