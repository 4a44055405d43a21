import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
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

/** Loads the deployed form of functions from the bundler's output folder. */
export const fromBundle =
  (folder: string): FunctionLoader =>
  async (name) => {
    const file = resolve(folder, name, 'index.mjs');
    if (!existsSync(file))
      throw new Error(`There is no bundled function ${file}. \`npm run bundle\` makes dist/functions.`);
    return import(pathToFileURL(file).href);
  };

/** Functions with at least one route that needs more time. */
const heavyFunctions = new Set<string>(
  routes.filter(({ uses }) => uses.includes('heavy')).map((route) => route.function),
);

/** All routes with their functions, loaded in advance, so that the first request is as fast as later ones. */
export async function functionRoutes(load: FunctionLoader): Promise<{ routes: ServedRoute[]; fallback: Handler }> {
  const served = routes.map(async ({ method, path, function: name }) => {
    const { handler } = await load(name);
    const { usual, heavy } = functionTimeoutSeconds;
    return { method, path, handler: handler as Handler, timeoutMs: 1_000 * (heavyFunctions.has(name) ? heavy : usual) };
  });
  const { handler } = await load(fallback.function);
  return { routes: await Promise.all(served), fallback: handler as Handler };
}

/** Functions that consume the table's stream. */
export const streamConsumers = (load: FunctionLoader) =>
  Promise.all(
    consumers.map(async ({ function: name, batchSize, records }) => ({
      name,
      handler: (await load(name)).handler as StreamHandler,
      batchSize,
      records,
    })),
  );

/** The function that queue messages trigger, and its timeout. */
export const queueFunction = async (load: FunctionLoader) => ({
  handler: (await load(deliverer.function)).handler as QueueHandler,
  timeoutMs: 1_000 * functionTimeoutSeconds.sending,
});

/** Functions that run on a schedule. */
export const scheduledFunctions = (load: FunctionLoader) =>
  Promise.all(
    schedules.map(async ({ function: name, everyMinutes }) => ({
      handler: (await load(name)).handler as ScheduledHandler,
      everyMinutes,
    })),
  );

/** The function that processes bounces and complaints. */
export const feedbackFunction = async (load: FunctionLoader): Promise<FeedbackHandler> =>
  (await load(mailFeedback.function)).handler as FeedbackHandler;
