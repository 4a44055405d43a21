import { parseArgs } from 'node:util';
import type { CommandDeps } from '#lib/service/ground/effects/deps.ts';

/** A kind of value in a command line, and how it is parsed. */
export interface Kind<Value> {
  /** The placeholder that the usage shows, such as `<id>`. */
  readonly shown: string;
  /** Completes an error message that begins with the name of the flag. */
  readonly rule: string;
  /** Parses a value. @returns undefined for an invalid text */
  readonly read: (text: string) => Value | undefined;
  /** Set for a positional argument, which has no flag. */
  readonly isArgument?: true;
  /** Set for a flag that takes no value. */
  readonly isSwitch?: true;
}

/** Thrown if the command line is wrong. Nothing has been read from the table. */
export class UsageError extends Error {}

export const argument = <Value>(kind: Kind<Value>): Kind<Value> => ({ ...kind, isArgument: true });

export const switchedOn: Kind<boolean> = { shown: '', rule: '', read: () => true, isSwitch: true };

type Kinds = Readonly<Record<string, Kind<unknown>>>;
type Values<Takes extends Kinds> = {
  readonly [Name in keyof Takes]: Takes[Name] extends Kind<infer Value> ? Value : never;
};

/** What a command works with. */
export interface OperatorRun extends CommandDeps {
  /** Prints a line that shows the progress of a long command. */
  readonly report: (line: string) => void;
}

/** A command's result as a JSON object and as text. */
export interface Outcome {
  readonly json: object;
  readonly text: string;
}

export interface Command {
  /** The name of the command, which consists of two words. */
  readonly name: string;
  /** The name with placeholders for its arguments. */
  readonly usage: string;
  /** Parses the words after the name. @throws UsageError */
  readonly read: (words: readonly string[]) => (deps: OperatorRun) => Promise<Outcome>;
}

interface Declared<Takes extends Kinds, Given> {
  readonly name: string;
  readonly takes: Takes;
  readonly run: (deps: OperatorRun, given: Given) => Promise<Outcome>;
}

/** A command whose arguments are all required. */
export function command<Takes extends Kinds>(declared: Declared<Takes, Values<Takes>>): Command {
  const { name, takes } = declared;
  return built(declared, [name, ...usages(takes)].join(' '), (given) => {
    demand(takes, given);
    return given as Values<Takes>;
  });
}

function demand(needed: Kinds, given: Readonly<Record<string, unknown>>): void {
  const missing = Object.keys(needed).find((one) => !(one in given));
  if (missing !== undefined) throw new UsageError(`Missing ${usageOf(missing, needed[missing]!)}`);
}

interface Choice<Needs extends Kinds, Takes extends Kinds> {
  readonly name: string;
  readonly needs: Needs;
  readonly oneOf: Takes;
  readonly run: (deps: OperatorRun, given: Values<Needs> & Partial<Values<Takes>>) => Promise<Outcome>;
}

/** A command that needs exactly one of several arguments in addition to the required ones. */
export function commandWithOneOf<Needs extends Kinds, Takes extends Kinds>({
  name,
  needs,
  oneOf,
  run,
}: Choice<Needs, Takes>): Command {
  const choice = usages(oneOf).join(' | ');
  const needed = usages(needs);
  const usage = needed.length > 0 ? [name, ...needed, `(${choice})`].join(' ') : `${name} ${choice}`;
  return built({ name, takes: { ...needs, ...oneOf }, run }, usage, (given) => {
    demand(needs, given);
    if (Object.keys(oneOf).filter((one) => one in given).length !== 1) throw new UsageError(`Give one of ${choice}`);
    return given as Values<Needs> & Partial<Values<Takes>>;
  });
}

function built<Takes extends Kinds, Given>(
  { name, takes, run }: Declared<Takes, Given>,
  usage: string,
  checked: (given: Readonly<Record<string, unknown>>) => Given,
): Command {
  const read = (words: readonly string[]) => {
    const given = checked(valuesOf(takes, textsOf(takes, words)));
    return (deps: OperatorRun) => run(deps, given);
  };
  return { name, usage, read };
}

const nameOf = (name: string, { isArgument }: Kind<unknown>) => (isArgument ? `<${name}>` : `--${name}`);

const usageOf = (name: string, kind: Kind<unknown>) =>
  kind.isArgument || kind.isSwitch ? nameOf(name, kind) : `${nameOf(name, kind)} ${kind.shown}`;

const usages = (takes: Kinds) => Object.entries(takes).map(([name, kind]) => usageOf(name, kind));

/** The raw values of a command's arguments. */
function textsOf(takes: Kinds, words: readonly string[]): Map<string, string> {
  const entries = Object.entries(takes);
  const argumentNames = entries.filter(([, { isArgument }]) => isArgument).map(([name]) => name);
  const flags = entries.filter(([, { isArgument }]) => !isArgument);
  const options = Object.fromEntries(
    flags.map(([name, { isSwitch }]) => [name, { type: isSwitch ? 'boolean' : 'string', multiple: true } as const]),
  );
  const { values, positionals } = parsed({ args: [...words], options, allowPositionals: true });
  // The surplus word is not printed, because it may be a secret whose flag is missing.
  if (positionals.length > argumentNames.length) throw new UsageError('There is a word too many');
  const texts = new Map(argumentNames.slice(0, positionals.length).map((name, at) => [name, positionals[at]!]));
  for (const [name, said] of Object.entries(values)) {
    const [first, ...others] = said as (string | boolean)[];
    if (others.length > 0) throw new UsageError(`--${name} is given more than once`);
    texts.set(name, String(first));
  }
  return texts;
}

function parsed(config: Parameters<typeof parseArgs>[0] & { readonly allowPositionals: true }) {
  try {
    return parseArgs(config);
  } catch (error) {
    // The message comes from Node. For an unknown flag, its hint on how to pass the flag as an argument is removed.
    throw new UsageError((error as Error).message.replace(/\. To specify a positional argument.*$/s, ''));
  }
}

function valuesOf(takes: Kinds, texts: ReadonlyMap<string, string>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, text] of texts) {
    const kind = takes[name]!;
    const value = kind.read(text);
    if (value === undefined) throw new UsageError(`${nameOf(name, kind)} ${kind.rule}`);
    values[name] = value;
  }
  return values;
}
