import type { Command, Invocation } from '#lib/apps/cli/commands/command.ts';
import { type CommandLine, readCommandLine } from '#lib/apps/cli/commands/command-line.ts';
import { commands } from '#lib/apps/cli/commands/commands.ts';
import { Failure, failureOf } from '#lib/apps/cli/commands/failure.ts';
import { help } from '#lib/apps/cli/commands/help.ts';
import { PromptCancelled, type CliEnvironment } from '#lib/apps/cli/machine/cli-environment.ts';

/**
 * Runs a command line. Results are written to `out`, everything else to `error`. With `--json`, exactly one JSON object
 * is written to `out`, even if the command fails.
 * @returns the exit code
 */
export async function runCli(words: readonly string[], terminal: CliEnvironment): Promise<0 | 1> {
  const world: CliEnvironment = {
    ...terminal,
    out: (line) => terminal.out(printable(line)),
    error: (line) => terminal.error(printable(line)),
  };
  // The flag is looked up before the arguments are parsed, so that a parsing error is printed as JSON, too.
  const isJson = words.includes('--json');
  const print = (json: object, text: () => string) => world.out(isJson ? JSON.stringify(json) : text());
  try {
    const line = readCommandLine(words);
    const { command, flags } = line;
    if (flags.version) print({ version: world.version }, () => world.version);
    else if (flags.help) print({ help: help(command) }, () => help(command));
    else if (command === undefined) throw new Failure('Which command?', { advice: help(undefined) });
    else return await carriedOut(commands[command], line, world, print);
    return 0;
  } catch (error) {
    const { message, status, code, advice } = failureOf(error);
    if (isJson) world.out(JSON.stringify({ error: message, status, code }));
    else world.error(message);
    if (advice !== undefined) world.error(advice);
    return 1;
  }
}

/**
 * Removes control characters except line breaks. Other people choose names of programs and partners; with control
 * characters, a name could move the cursor, change colours, or reverse the direction of text.
 */
const printable = (line: string): string => line.replace(/[^\P{Cc}\n]|\p{Bidi_Control}/gu, '\ufffd');

async function carriedOut(
  command: Command,
  line: CommandLine,
  world: CliEnvironment,
  print: (json: object, text: () => string) => void,
): Promise<0 | 1> {
  const { flags } = line;
  const isAlone = flags.json || flags['no-interactive'];
  const invocation: Invocation = {
    ...line,
    world,
    notice: flags.quiet ? () => {} : world.error,
    person: isAlone ? undefined : world.person,
  };
  const { json, text, next, isFailure } = await Promise.race([run(command, invocation), interruption(command, world)]);
  print(json, text);
  if (next !== undefined) invocation.notice(next);
  return isFailure ? 1 : 0;
}

async function run(command: Command, invocation: Invocation) {
  try {
    return await command.run(invocation);
  } catch (error) {
    throw error instanceof PromptCancelled ? new Failure('Cancelled. Nothing was changed.') : error;
  }
}

function interruption({ interrupted }: Command, { interrupted: signal }: CliEnvironment): Promise<never> {
  return new Promise((_, reject) => {
    if (interrupted === undefined) return;
    const end = () => reject(new Failure(interrupted));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
