import type { FunctionLoader } from '#infra/local/gateway/function-routes.ts';

/** A function by its name in `infra/routes.ts`. Vite resolves a template only one folder deep, a plain variable anywhere. */
export const loadedFunction: FunctionLoader = (name) => {
  const file = `#functions/${name}.ts`;
  return import(file);
};
