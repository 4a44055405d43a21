import { type Command, type OperatorRun, type Outcome, UsageError } from '#lib/service/operations/operator/command.ts';
import { commands } from '#lib/service/operations/operator/commands.ts';
import { operatorDeps } from '#lib/service/ground/effects/deps.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a command reads from and writes to. */
export interface Terminal {
  /** The variables `TABLE_NAME`, `DYNAMODB_ENDPOINT` and `AWS_REGION`. */
  readonly environment: Environment;
  /** Finds the variables of `environment` for the deployed stage that the flag `--stage` names. */
  readonly environmentOf?: (stage: string) => Promise<Environment>;
  readonly input?: () => Promise<string>;
  /** Prints one line of the result. */
  readonly out: (line: string) => void;
  /** Prints one line of an error. */
  readonly error: (line: string) => void;
  /** Prints one line about the progress of a long command, apart from its result. Default: nothing. */
  readonly progress?: (line: string) => void;
  /** The real time in milliseconds. */
  readonly realNow?: () => number;
}

/** Runs one operator command. With `--json` one JSON object is printed, also on failure. @returns the exit code */
export async function runOperator(words: readonly string[], terminal: Terminal): Promise<0 | 1> {
  const isJson = words.includes('--json');
  const { environment, environmentOf, progress: report = () => undefined, realNow = Date.now } = terminal;
  let tableName = environment.TABLE_NAME;
  try {
    const { stage, others } = withoutStage(words.filter((word) => word !== '--json'));
    if (others.some((word) => word === '--help' || word === '-h')) {
      const usage = usageOf(meantBy(others.filter((word) => !word.startsWith('-'))));
      terminal.out(isJson ? JSON.stringify({ usage }) : usage);
      return 0;
    }
    const run = readCommand(await withKeyOfInput(others, terminal));
    const where = stage === undefined ? environment : await environmentOf?.(stage);
    tableName = where?.TABLE_NAME;
    if (!where || !tableName)
      throw new Error('Which table? Name the stage with --stage <stage>, or the table in TABLE_NAME.');
    const { json, text } = await run({ ...(await operatorDeps(where, realNow)), report });
    terminal.out(isJson ? JSON.stringify(json) : text);
    return 0;
  } catch (error) {
    const message = messageOf(error, tableName);
    if (isJson) terminal.out(JSON.stringify({ error: message }));
    else terminal.error(message);
    return 1;
  }
}

function messageOf(error: unknown, tableName: string | undefined): string {
  const message = (error instanceof Error && error.message) || String(error);
  if (!(error instanceof Error) || error.name !== 'ResourceNotFoundException') return message;
  return `${message}: the table ${tableName}, or one that the command names, is not in this region and account.`;
}

/**
 * Removes `--stage` from a command line.
 * @returns the stage and the other words
 * @throws UsageError if there is more than one stage
 */
function withoutStage(words: readonly string[]): { readonly stage?: string; readonly others: readonly string[] } {
  const at = words.findIndex((word) => word === '--stage' || word.startsWith('--stage='));
  if (at === -1) return { others: words };
  const isNext = words[at] === '--stage';
  const stage = isNext ? words[at + 1] : words[at]!.slice('--stage='.length);
  if (!stage || stage.startsWith('--')) throw new UsageError('--stage must name a stage, such as --stage prod');
  const { stage: another, others } = withoutStage(words.toSpliced(at, isNext ? 2 : 1));
  if (another !== undefined) throw new UsageError('--stage is given more than once');
  return { stage, others };
}

/** A key in the arguments would be visible in the process list and shell history, so it is read from standard input. */
async function withKeyOfInput(words: readonly string[], { input }: Terminal): Promise<readonly string[]> {
  if (!words.includes('--key-stdin') || !input) return words;
  const key = (await input()).trim();
  return [...words.filter((word) => word !== '--key-stdin'), `--key=${key}`];
}

/** Finds the command and parses its arguments. @throws UsageError that shows the correct usage */
function readCommand([noun = '', verb = '', ...rest]: readonly string[]): (deps: OperatorRun) => Promise<Outcome> {
  const name = `${noun} ${verb}`.trim();
  const named = commands.find((command) => command.name === name);
  if (!named) throw shown(name === '' ? 'Which command?' : `Unknown command: ${name}`, meantBy([noun]));
  try {
    return named.read(rest);
  } catch (error) {
    throw error instanceof UsageError ? shown(error.message, [named]) : error;
  }
}

/** The command that the words begin with; otherwise the commands with the same first word; otherwise all. */
function meantBy([noun = '', verb = '']: readonly string[]): readonly Command[] {
  const ofNoun = commands.filter(({ name }) => name.startsWith(`${noun} `));
  const named = ofNoun.filter(({ name }) => name === `${noun} ${verb}`);
  return [named, ofNoun, commands].find(({ length }) => length > 0)!;
}

const usageOf = (meant: readonly Command[]): string =>
  ['Usage:', ...meant.map(({ usage }) => `  npm run operator -- ${usage} [--stage <stage>]`)].join('\n');

const shown = (problem: string, meant: readonly Command[]) => new UsageError(`${problem}\n${usageOf(meant)}`);
