import { type Config, configFrom, type Variables } from '#lib/service/config/config.ts';
import { createLog, type Log, type LogFields } from '#lib/service/log.ts';
import { openStorage, type Storage } from '#lib/service/storage.ts';

/** All that lives longer than a request: made at a cold start, shared by the requests that follow. */
export interface Container extends Storage {
  readonly config: Config;
  /** A log whose every line carries the context of one request. */
  readonly logWith: (context: LogFields) => Log;
  readonly once: Once;
}

/**
 * A part that only some functions need, made when it is first asked for and kept from then on. The function that makes
 * it is its name, so it is in the bundles of those functions alone; it must be the same one each time, not a lambda
 * written where it is asked for.
 */
export type Once = <Part>(make: (config: Config) => Part) => Part;

/** @throws Error that names every variable which is missing or wrong */
export function createContainer(environment: Variables): Container {
  const config = configFrom(environment);
  const parts = new Map<unknown, unknown>();
  return {
    ...openStorage(config),
    config,
    logWith: createLog(),
    once<Part>(make: (config: Config) => Part): Part {
      if (!parts.has(make)) parts.set(make, make(config));
      return parts.get(make) as Part;
    },
  };
}

let current: Container | undefined;

/** The container of this process, made from its environment at the first request. */
export const currentContainer = (): Container => (current ??= createContainer(process.env));

/** The next request finds a cold start: tests of many installations share a process. */
export function discardContainer(): void {
  current = undefined;
}
