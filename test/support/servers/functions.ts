import { fallback } from '#infra/routes.ts';
import type { FunctionLoader } from '#infra/local/gateway/function-routes.ts';
import type { ServedRoute } from '#infra/local/gateway/served-route.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';

/**
 * Imports a function by its name in `infra/routes.ts`. The path is in a variable: in an import with a template, Vite
 * would find only files that are one folder deep.
 */
export const loadedFunction: FunctionLoader = (name) => {
  const file = `#functions/${name}.ts`;
  return import(file);
};

/**
 * Returns the handler of the function that answers a route, or requests without a route. The route's own handler only
 * loads the function, and replies are checked against the document by the function's handler.
 */
export async function handlerOf(route: ServedRoute | undefined): Promise<Handler> {
  return (await loadedFunction(route?.function ?? fallback.function)).handler as Handler;
}
