import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Config, configFrom, type Variables } from '#lib/service/ground/config/config.ts';
import { createLog, type Log, type LogFields } from '#lib/service/ground/effects/log.ts';
import { openStorage, type Storage } from '#lib/service/ground/effects/storage.ts';

/** State that outlives a request: created at a cold start, shared by later requests. */
export interface Container extends Storage {
  readonly config: Config;
  /** A log that adds the context of one request to every line. */
  readonly logWith: (context: LogFields) => Log;
  readonly once: Once;
}

/**
 * Creates a part at first use and keeps it. The factory function itself is the cache key, so a part is bundled only
 * into the functions that use it. Pass the same reference each time, not an inline lambda.
 */
export type Once = <Part>(make: (config: Config) => Part) => Part;

/**
 * Creates the container from environment variables.
 * @param client replaces the table client built from the environment
 * @throws Error that names every missing or invalid variable
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

/**
 * The container of this process. It is created from the environment at the first request, unless one was set before.
 */
export const currentContainer = (): Container => (current ??= createContainer(process.env));

/** Replaces the container. A local run does this, because it has its own table client. */
export function setContainer(container: Container): void {
  current = container;
}

/** Makes the next request a cold start, for tests that run several installations in one process. */
export function discardContainer(): void {
  current = undefined;
}
