import { parseArgs } from 'node:util';
import { Failure } from '#lib/apps/cli/commands/failure.ts';

const commandNames = ['login', 'logout', 'whoami', 'init', 'programs', 'status', 'test', 'listen'] as const;
export type CommandName = (typeof commandNames)[number];

export interface CommandLine {
  /** The command; undefined if the command line contains none. */
  readonly command: CommandName | undefined;
  /** The word after the command `test`. */
  readonly event: string | undefined;
  readonly flags: Flags;
}

const globalFlags = {
  json: { type: 'boolean' },
  'no-interactive': { type: 'boolean' },
  'auto-confirm': { type: 'boolean' },
  quiet: { type: 'boolean' },
  verbose: { type: 'boolean' },
  'api-key': { type: 'string' },
  'api-url': { type: 'string' },
  version: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const initFlags = {
  name: { type: 'string' },
  domain: { type: 'string' },
  'commission-type': { type: 'string' },
  'commission-rate': { type: 'string' },
  'duration-months': { type: 'string' },
  'attribution-window': { type: 'string' },
  sandbox: { type: 'boolean' },
} as const;

const listenFlags = {
  forward: { type: 'string' },
  events: { type: 'string' },
  program: { type: 'string' },
} as const;

const options = { ...globalFlags, ...initFlags, ...listenFlags };
const ownFlags = { init: initFlags, listen: listenFlags };

export type Flags = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/**
 * Parses the words of a command line.
 * @throws Failure that explains the mistake. It repeats no word that could be a key whose flag is missing
 */
export function readCommandLine(words: readonly string[]): CommandLine {
  const { values: flags, positionals } = parsed(words);
  const [name, ...rest] = positionals;
  const command = commandNames.find((known) => known === name);
  if (name !== undefined && !command)
    throw usage(/^[a-z-]{1,20}$/.test(name) ? `Unknown command: ${name}` : 'Unknown command');
  const event = command === 'test' ? rest.shift() : undefined;
  if (rest.length > 0) throw usage('There is a word too many');
  for (const [owner, known] of Object.entries(ownFlags)) {
    const foreign = Object.keys(known).find((flag) => flag in flags);
    if (foreign !== undefined && command !== owner) throw usage(`--${foreign} belongs to ${owner}`);
  }
  return { command, event, flags };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    // The failure has Node's message, but without Node's advice on passing an unknown flag as an argument.
    throw usage((error as Error).message.replace(/\. To specify a positional argument.*$/s, ''));
  }
}

const usage = (problem: string) =>
  new Failure(problem, { advice: '`affitor --help` shows the commands and their flags.' });
