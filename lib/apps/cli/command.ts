import type { CommandLine } from '#lib/apps/cli/command-line.ts';
import type { CliEnvironment } from '#lib/apps/cli/cli-environment.ts';

/** What a command works with. */
export interface Invocation extends CommandLine {
  readonly world: CliEnvironment;
  /** Prints beside the result, unless `--quiet`. */
  readonly notice: (line: string) => void;
  /** Whom to ask; undefined when nobody is there, or nobody is to be asked. */
  readonly person: CliEnvironment['person'];
}

/** What a command did: its one JSON object, and the same for people. */
interface Outcome {
  readonly json: object;
  /** Made only for people: programs get what the service said, whatever that is. */
  readonly text: () => string;
  /** What to do next. */
  readonly next?: string | undefined;
  /** It did its work, and the work showed that something is wrong. */
  readonly isFailure?: boolean;
}

export interface Command {
  /** What follows the name. */
  readonly usage: string;
  readonly summary: string;
  /** Said when it is interrupted. */
  readonly interrupted: string;
  readonly run: (invocation: Invocation) => Promise<Outcome>;
}
