import { expect, it } from 'vitest';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { functionRoutes } from '#infra/local/gateway/function-routes.ts';

it('a function has the same timeout in a local run as in Lambda', async () => {
  const { routes } = await functionRoutes(async () => ({ handler: async () => ({}) }));
  const given = new Map(routes.map(({ method, path, timeoutMs }) => [`${method} ${path}`, timeoutMs]));
  const expected = deployedFunctions.flatMap(({ routes: served, uses }) =>
    served.map(({ method, path }): [string, number] => [`${method} ${path}`, uses.includes('heavy') ? 29_000 : 10_000]),
  );
  expect(given).toEqual(new Map(expected));
});
