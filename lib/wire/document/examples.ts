import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Named = Readonly<Record<string, { readonly value: unknown }>>;

/** Requests and replies by the name of the case. */
export interface Examples {
  readonly request?: Named;
  /** Replies by status. */
  readonly replies: Readonly<Record<string, Named>>;
}

/** The file to which a test records the service's real replies. */
export const examplesFile = join(import.meta.dirname, 'examples.json');

let recorded: Readonly<Record<string, Examples>> | undefined;

/** Real requests and replies of an operation. */
export function examplesOf(operationId: string): Examples {
  recorded ??= JSON.parse(readFileSync(examplesFile, 'utf8')) as Readonly<Record<string, Examples>>;
  return recorded[operationId] ?? { replies: {} };
}
