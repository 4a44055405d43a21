import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Config, configFrom, type Variables } from '#lib/service/ground/config/config.ts';
import { createLog, type Log, type LogFields } from '#lib/service/ground/effects/log.ts';
import { openStorage, type Storage } from '#lib/service/ground/effects/storage.ts';

/** State of a Lambda container that is created at its cold start and shared by all its requests. */
export interface Container extends Storage {
  readonly config: Config;
  /** A log that adds the context of one request to every line. */
  readonly logWith: (context: LogFields) => Log;
  readonly once: Once;
}

/**
 * Creates a part of the container at first use and returns the same part later. The factory function itself is the
 * cache key, so a part is bundled only into the functions that use it. Pass the same reference each time, not an inline
 * lambda.
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

/** The container of this process. It is created at the first request, unless `setContainer` has set one. */
export const currentContainer = (): Container => (current ??= createContainer(process.env));

/** Replaces the container. A local run does this, because it has its own table client. */
export function setContainer(container: Container): void {
  current = container;
}

/**
 * Removes the container, so that the next request starts like a cold start. Tests use this to run several installations
 * in one process.
 */
export function discardContainer(): void {
  current = undefined;
}
