import type { CommandLine } from '#lib/apps/cli/commands/command-line.ts';
import type { CliEnvironment } from '#lib/apps/cli/machine/cli-environment.ts';

export interface Invocation extends CommandLine {
  readonly world: CliEnvironment;
  /** Prints a line in addition to the result, unless the flag `--quiet` is set. */
  readonly notice: (line: string) => void;
  /** The prompts for the person; undefined without a terminal, or if prompts are turned off. */
  readonly person: CliEnvironment['person'];
}

/** A command's result as a JSON object and as text. */
interface Outcome {
  readonly json: object;
  /**
   * The result as text. It is only computed for text output: with `--json` programs get the service's data unchanged.
   */
  readonly text: () => string;
  /** Advice on the next step. */
  readonly next?: string | undefined;
  /** The command worked but found a problem, so it exits with 1. */
  readonly isFailure?: boolean;
}

export interface Command {
  /** The part of the usage after the name. */
  readonly usage: string;
  readonly summary: string;
  /**
   * The text that is printed on interruption. If undefined, the command itself handles the interruption and exits
   * normally.
   */
  readonly interrupted?: string;
  readonly run: (invocation: Invocation) => Promise<Outcome>;
}
