import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { functionTimeoutSeconds } from '#infra/function-timeouts.ts';
import { consumers, deliverer, fallback, mailFeedback, routes, schedules } from '#infra/routes.ts';
import type { FeedbackHandler } from '#lib/service/http/triggers/mail-feedback.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import type { ServedRoute } from '#infra/local/gateway/served-route.ts';
import type { QueueHandler } from '#lib/service/http/triggers/queue-consumer.ts';
import type { ScheduledHandler } from '#lib/service/http/triggers/scheduled.ts';
import type { StreamHandler } from '#lib/service/http/triggers/stream-consumer.ts';

/** Loads a function by its name in `infra/routes.ts`. */
export type FunctionLoader = (name: string) => Promise<{ handler: unknown }>;

export const fromSource: FunctionLoader = (name) => import(`#functions/${name}.ts`);

/**
 * Loads the deployed form of functions from the bundler's output folder.
 * @throws Error with a message for the terminal if the folder has no bundles
 */
export function fromBundle(folder: string): FunctionLoader {
  const fileOf = (name: string) => resolve(folder, name, 'index.mjs');
  const one = fileOf(fallback.function);
  if (!existsSync(one))
    throw new Error(`There is no bundled function ${one}. \`npm run bundle\` makes dist/functions.`);
  return (name) => import(pathToFileURL(fileOf(name)).href);
}

/** A function that is loaded when it is first called, as on AWS. Loading all of them in advance takes seconds. */
function onFirstCall<Called extends (...args: never[]) => Promise<unknown>>(
  load: FunctionLoader,
  name: string,
): Called {
  let loaded: Promise<{ handler: unknown }> | undefined;
  const call = async (...args: Parameters<Called>): Promise<unknown> => {
    const { handler } = await (loaded ??= load(name));
    return (handler as Called)(...args);
  };
  return call as Called;
}

/** Functions that take the events of brands. */
export const trackingFunctions: readonly string[] = deployedFunctions
  .map(({ name }) => name)
  .filter((name) => name.startsWith('track/'));

/** Functions with at least one route that needs more time. */
const heavyFunctions = new Set<string>(
  routes.filter(({ uses }) => uses.includes('heavy')).map((route) => route.function),
);

/** All routes with their functions. */
export function functionRoutes(load: FunctionLoader): { routes: ServedRoute[]; fallback: Handler } {
  const { usual, heavy } = functionTimeoutSeconds;
  const served = routes.map(({ method, path, function: name }) => ({
    method,
    path,
    handler: onFirstCall<Handler>(load, name),
    timeoutMs: 1_000 * (heavyFunctions.has(name) ? heavy : usual),
  }));
  return { routes: served, fallback: onFirstCall<Handler>(load, fallback.function) };
}

/** Functions that consume the table's stream. */
export const streamConsumers = (load: FunctionLoader) =>
  consumers.map(({ function: name, batchSize, records }) => ({
    name,
    handler: onFirstCall<StreamHandler>(load, name),
    batchSize,
    records,
  }));

/** The function that queue messages trigger, and its timeout. */
export const queueFunction = (load: FunctionLoader) => ({
  handler: onFirstCall<QueueHandler>(load, deliverer.function),
  timeoutMs: 1_000 * functionTimeoutSeconds.sending,
});

/** Functions that run on a schedule. */
export const scheduledFunctions = (load: FunctionLoader) =>
  schedules.map(({ function: name, everyMinutes }) => ({
    handler: onFirstCall<ScheduledHandler>(load, name),
    everyMinutes,
  }));

/** The function that processes bounces and complaints. */
export const feedbackFunction = (load: FunctionLoader): FeedbackHandler =>
  onFirstCall<FeedbackHandler>(load, mailFeedback.function);
