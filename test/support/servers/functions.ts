import type { FunctionLoader } from '#infra/local/gateway/function-routes.ts';

/**
 * Loads a function by its name in `infra/routes.ts`. Vite resolves a template only one folder deep, but a plain
 * variable at any depth.
 */
export const loadedFunction: FunctionLoader = (name) => {
  const file = `#functions/${name}.ts`;
  return import(file);
};
