import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Named = Readonly<Record<string, { readonly value: unknown }>>;

/** Recorded requests and replies, each under the name of its case. */
export interface Examples {
  readonly request?: Named;
  /** Replies by status. */
  readonly replies: Readonly<Record<string, Named>>;
}

/** The file in which a test records real replies of the service. */
export const examplesFile = join(import.meta.dirname, 'examples.json');

let recorded: Readonly<Record<string, Examples>> | undefined;

/** Recorded requests and replies of an operation. */
export function examplesOf(operationId: string): Examples {
  recorded ??= JSON.parse(readFileSync(examplesFile, 'utf8')) as Readonly<Record<string, Examples>>;
  return recorded[operationId] ?? { replies: {} };
}
