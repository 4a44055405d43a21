import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Config, configFrom, type Variables } from '#lib/service/ground/config/config.ts';
import { createLog, type Log, type LogFields } from '#lib/service/ground/effects/log.ts';
import { openStorage, type Storage } from '#lib/service/ground/effects/storage.ts';

/** Everything that outlives a request: created at a cold start, shared by the following requests. */
export interface Container extends Storage {
  readonly config: Config;
  /** A log whose every line carries the context of one request. */
  readonly logWith: (context: LogFields) => Log;
  readonly once: Once;
}

/**
 * A part that only some functions need, created at first use and then kept. The function that makes it is its name, so
 * it is in the bundles of those functions alone; it must be the same reference each time, not an inline lambda.
 */
export type Once = <Part>(make: (config: Config) => Part) => Part;

/**
 * @param client another client of the table than the environment's
 * @throws Error that names every variable which is missing or wrong
 */
export function createContainer(environment: Variables, client?: DynamoDBDocumentClient): Container {
  const config = configFrom(environment);
  const parts = new Map<unknown, unknown>();
  return {
    ...openStorage(config, client),
    config,
    logWith: createLog(),
    once<Part>(make: (config: Config) => Part): Part {
      if (!parts.has(make)) parts.set(make, make(config));
      return parts.get(make) as Part;
    },
  };
}

let current: Container | undefined;

/** The container of this process, made from its environment at the first request unless one was set before. */
export const currentContainer = (): Container => (current ??= createContainer(process.env));

/** The local run has a client of its own. */
export function setContainer(container: Container): void {
  current = container;
}

/** Makes the next request a cold start: tests of many installations share a process. */
export function discardContainer(): void {
  current = undefined;
}
