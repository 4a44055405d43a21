import { type Command, type Outcome, UsageError } from '#lib/service/operations/operator/command.ts';
import { commands } from '#lib/service/operations/operator/commands.ts';
import { operatorDeps, type CommandDeps } from '#lib/service/ground/effects/deps.ts';

/** A command's environment: its inputs and outputs. */
export interface Terminal {
  /** The variables `TABLE_NAME`, `DYNAMODB_ENDPOINT` and `AWS_REGION`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input?: () => Promise<string>;
  /** Prints one line of the result. */
  readonly out: (line: string) => void;
  /** Prints one line of an error. */
  readonly error: (line: string) => void;
  /** The real time in milliseconds. */
  readonly realNow?: () => number;
}

/** Runs one operator command. With `--json` one JSON object is printed, also on failure. @returns the exit code */
export async function runOperator(words: readonly string[], terminal: Terminal): Promise<0 | 1> {
  const isJson = words.includes('--json');
  const { environment, realNow = Date.now } = terminal;
  try {
    const run = readCommand(
      await withKeyOfInput(
        words.filter((word) => word !== '--json'),
        terminal,
      ),
    );
    const { json, text } = await run(await operatorDeps(environment, realNow));
    terminal.out(isJson ? JSON.stringify(json) : text);
    return 0;
  } catch (error) {
    const message = (error instanceof Error && error.message) || String(error);
    if (isJson) terminal.out(JSON.stringify({ error: message }));
    else terminal.error(message);
    return 1;
  }
}

/** A key in the arguments would appear in the process list and shell history, so it is read from standard input. */
async function withKeyOfInput(words: readonly string[], { input }: Terminal): Promise<readonly string[]> {
  if (!words.includes('--key-stdin') || !input) return words;
  const key = (await input()).trim();
  return [...words.filter((word) => word !== '--key-stdin'), `--key=${key}`];
}

/** Finds the command and parses its arguments. @throws UsageError that shows the correct usage */
function readCommand([noun = '', verb = '', ...rest]: readonly string[]): (deps: CommandDeps) => Promise<Outcome> {
  const name = `${noun} ${verb}`.trim();
  const named = commands.find((command) => command.name === name);
  if (!named) throw shown(name === '' ? 'Which command?' : `Unknown command: ${name}`, commands);
  try {
    return named.read(rest);
  } catch (error) {
    throw error instanceof UsageError ? shown(error.message, [named]) : error;
  }
}

const shown = (problem: string, meant: readonly Command[]) =>
  new UsageError([problem, 'Usage:', ...meant.map(({ usage }) => `  npm run operator -- ${usage}`)].join('\n'));
