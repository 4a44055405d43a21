import { fallback } from '#infra/routes.ts';
import type { FunctionLoader } from '#infra/local/gateway/function-routes.ts';
import type { ServedRoute } from '#infra/local/gateway/served-route.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';

/**
 * Loads a function by its name in `infra/routes.ts`. Vite resolves a template only one folder deep, but a plain
 * variable at any depth.
 */
export const loadedFunction: FunctionLoader = (name) => {
  const file = `#functions/${name}.ts`;
  return import(file);
};

/**
 * The function of a route, or the one that answers requests without a route. Not the route's own handler, which loads the
 * function: replies are compared with the document by the function's handler.
 */
export async function handlerOf(route: ServedRoute | undefined): Promise<Handler> {
  return (await loadedFunction(route?.function ?? fallback.function)).handler as Handler;
}
