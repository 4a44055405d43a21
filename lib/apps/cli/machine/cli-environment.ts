import type { Fetch } from '#lib/apps/client/calls/transport.ts';

/** Everything outside the process that a command uses: files, network, clock, terminal and browser. */
export interface CliEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** The user's home folder. */
  readonly home: string;
  /** Version of the command line tool. */
  readonly version: string;
  /** The operating system as named by Node.js. */
  readonly platform: string;
  /** Prints one line of the result. */
  readonly out: (line: string) => void;
  /** Prints any other line. */
  readonly error: (line: string) => void;
  readonly fetch?: Fetch;
  /** Opens a page in the person's browser. @throws Error if there is no browser */
  readonly openBrowser: (url: string) => Promise<void>;
  /** Current time in milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Asks the person questions; undefined without a terminal. */
  readonly person?: Prompter | undefined;
  /** Aborted when the person presses Ctrl-C or the terminal session ends. */
  readonly interrupted: AbortSignal;
}

/** Asks the person questions. If the person cancels a question, it throws {@link PromptCancelled}. */
export interface Prompter {
  readonly text: (question: TextQuestion) => Promise<string>;
  readonly choose: (question: { readonly message: string; readonly options: readonly Choice[] }) => Promise<string>;
  readonly confirm: (message: string) => Promise<boolean>;
  /** Shows that work is in progress. @returns a function that removes the message */
  readonly spin: (message: string, cancelMessage: string) => () => void;
}

interface TextQuestion {
  readonly message: string;
  readonly placeholder?: string;
  /** The value that is used if the answer is empty. */
  readonly otherwise?: string;
  /** Checks an answer. @returns an error message if the answer is invalid, otherwise undefined */
  readonly problem?: (answer: string) => string | undefined;
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
}

export class PromptCancelled extends Error {}
