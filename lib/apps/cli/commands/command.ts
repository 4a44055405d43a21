import type { CommandLine } from '#lib/apps/cli/commands/command-line.ts';
import type { CliEnvironment } from '#lib/apps/cli/machine/cli-environment.ts';

export interface Invocation extends CommandLine {
  readonly world: CliEnvironment;
  /** Prints a line that is not part of the result, unless the flag `--quiet` is set. */
  readonly notice: (line: string) => void;
  /** Asks the person questions. Undefined if there is no terminal, or if questions are turned off by a flag. */
  readonly person: CliEnvironment['person'];
}

/** A command's result as a JSON object and as text. */
interface Outcome {
  readonly json: object;
  /** Returns the result as text. It is not called with `--json`, which prints the service's data unchanged. */
  readonly text: () => string;
  /** What the person should do next. */
  readonly next?: string | undefined;
  /** If true, the command worked but found a problem, so the process exits with 1. */
  readonly isFailure?: boolean;
}

export interface Command {
  /** The part of the usage line after the command's name. */
  readonly usage: string;
  readonly summary: string;
  /**
   * The text that is printed if the person interrupts the command. If undefined, the command handles the interruption
   * itself and exits normally.
   */
  readonly interrupted?: string;
  readonly run: (invocation: Invocation) => Promise<Outcome>;
}
