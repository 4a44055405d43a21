import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { functionTimeoutSeconds } from '#infra/function-timeouts.ts';
import { consumers, deliverer, fallback, mailFeedback, routes, schedules } from '#infra/routes.ts';
import type { FeedbackHandler } from '#lib/service/http/triggers/mail-feedback.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import type { ServedRoute } from '#infra/local/gateway/served-route.ts';

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

/**
 * Returns a handler that loads its function at the first call, as on AWS. Loading all functions at the start would take
 * seconds.
 */
function onFirstCall(load: FunctionLoader, name: string): (...args: unknown[]) => Promise<never> {
  let loaded: ReturnType<FunctionLoader> | undefined;
  return async (...args) => {
    const { handler } = await (loaded ??= load(name));
    return (handler as (...args: unknown[]) => Promise<never>)(...args);
  };
}

/** Names of the functions that receive clicks, sales and payments. */
export const trackingFunctions: readonly string[] = deployedFunctions
  .map(({ name }) => name)
  .filter((name) => name.startsWith('track/'));

/** Names of functions that have the longer timeout, because at least one of their routes needs it. */
const heavyFunctions = new Set<string>(
  routes.filter(({ uses }) => uses.includes('heavy')).map((route) => route.function),
);

/** The routes of all functions. */
export function functionRoutes(load: FunctionLoader): { routes: ServedRoute[]; fallback: Handler } {
  const { usual, heavy } = functionTimeoutSeconds;
  const served = routes.map(({ method, path, function: name }) => ({
    method,
    path,
    handler: onFirstCall(load, name),
    function: name,
    timeoutMs: 1_000 * (heavyFunctions.has(name) ? heavy : usual),
  }));
  return { routes: served, fallback: onFirstCall(load, fallback.function) };
}

/** The functions that consume the table's stream. */
export const streamConsumers = (load: FunctionLoader) =>
  consumers.map(({ function: name, batchSize, records }) => ({
    name,
    handler: onFirstCall(load, name),
    batchSize,
    records,
  }));

/** The function that is called with the messages of the queue, and its timeout. */
export const queueFunction = (load: FunctionLoader) => ({
  handler: onFirstCall(load, deliverer.function),
  timeoutMs: 1_000 * functionTimeoutSeconds.sending,
});

/** The functions that run on a schedule. */
export const scheduledFunctions = (load: FunctionLoader) =>
  schedules.map(({ function: name, everyMinutes }) => ({
    handler: onFirstCall(load, name),
    everyMinutes,
  }));

/** The function that processes bounces and complaints. */
export const feedbackFunction = (load: FunctionLoader): FeedbackHandler => onFirstCall(load, mailFeedback.function);
