import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import open from 'open';
import { clackPerson } from '#lib/cli/clack-person.ts';
import type { Surroundings } from '#lib/cli/surroundings.ts';

/** The real surroundings: this process, its terminal, its machine. */
export function thisMachine(version: string, interrupted: AbortSignal): Surroundings {
  const { env: environment, stdin, stderr } = process;
  const isTerminal = stdin.isTTY && stderr.isTTY;
  return {
    environment,
    folder: process.cwd(),
    home: homedir(),
    version,
    // oxlint-disable-next-line no-console -- the one place that prints results
    out: (line) => console.log(line),
    // oxlint-disable-next-line no-console -- the one place that prints beside them
    error: (line) => console.error(line),
    openBrowser: async (url) => void (await open(url)),
    now: Date.now,
    sleep: (ms) => sleep(ms),
    person: isTerminal ? clackPerson(environment.NO_COLOR ? colourless(stderr) : stderr) : undefined,
    interrupted,
  };
}

/** Node 20 colours whatever it is told to, NO_COLOR or not. */
function colourless(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  // oxlint-disable-next-line no-control-regex -- the escape character begins what is to be removed
  const colours = /\u001b\[[\d;]*m/g;
  const write = (text: string | Uint8Array) =>
    stream.write(typeof text === 'string' ? text.replaceAll(colours, '') : text);
  return Object.create(stream, { write: { value: write } });
}
