import type { CommandLine } from '#lib/apps/cli/commands/command-line.ts';
import type { CliEnvironment } from '#lib/apps/cli/machine/cli-environment.ts';

/** The inputs of a command. */
export interface Invocation extends CommandLine {
  readonly world: CliEnvironment;
  /** Prints beside the result, unless `--quiet`. */
  readonly notice: (line: string) => void;
  /** Undefined without a terminal, or when prompts are turned off. */
  readonly person: CliEnvironment['person'];
}

/** A command's result: its JSON object, and the same as text. */
interface Outcome {
  readonly json: object;
  /** Built for text output only: programs get the service's data unchanged. */
  readonly text: () => string;
  /** What to do next. */
  readonly next?: string | undefined;
  /** The command worked, but found a problem. */
  readonly isFailure?: boolean;
}

export interface Command {
  /** What follows the name. */
  readonly usage: string;
  readonly summary: string;
  /** Printed when it is interrupted; without it the command notices, and ends well. */
  readonly interrupted?: string;
  readonly run: (invocation: Invocation) => Promise<Outcome>;
}
