import type { Fetch } from '#lib/apps/client/transport.ts';

/** Everything that a command reads, changes or waits for. */
export interface CliEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The project's folder. */
  readonly folder: string;
  /** The person's own folder. */
  readonly home: string;
  /** Of the command line tool. */
  readonly version: string;
  /** The operating system, as Node.js names it. */
  readonly platform: string;
  /** Prints a line of the result. */
  readonly out: (line: string) => void;
  /** Prints any other line. */
  readonly error: (line: string) => void;
  readonly fetch?: Fetch;
  /** @throws Error when there is no browser */
  readonly openBrowser: (url: string) => Promise<void>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Undefined without a terminal. */
  readonly person?: Prompter | undefined;
  /** Ctrl-C, or the end of the session. */
  readonly interrupted: AbortSignal;
}

/** Asks the person. A cancelled question throws {@link PromptCancelled}. */
export interface Prompter {
  readonly text: (question: TextQuestion) => Promise<string>;
  readonly choose: (question: { readonly message: string; readonly options: readonly Choice[] }) => Promise<string>;
  readonly confirm: (message: string) => Promise<boolean>;
  /** Shows that work is in progress. @returns a function that ends this */
  readonly spin: (message: string, cancelMessage: string) => () => void;
}

interface TextQuestion {
  readonly message: string;
  readonly placeholder?: string;
  /** Used when nothing is typed. */
  readonly otherwise?: string;
  /** @returns the error of an invalid answer */
  readonly problem?: (answer: string) => string | undefined;
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
}

export class PromptCancelled extends Error {}
