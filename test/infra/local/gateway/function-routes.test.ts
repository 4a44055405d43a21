import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { functionRoutes } from '#infra/local/gateway/function-routes.ts';

it('a function has the same timeout in a local run as in Lambda', () => {
  const { routes } = functionRoutes(async () => ({ handler: async () => ({}) }));
  const given = new Map(routes.map(({ method, path, timeoutMs }) => [`${method} ${path}`, timeoutMs]));
  const expected = deployedFunctions.flatMap(({ routes: served, uses }) =>
    served.map(({ method, path }): [string, number] => [`${method} ${path}`, uses.includes('heavy') ? 29_000 : 10_000]),
  );
  expect(given).toEqual(new Map(expected));
});

it('a function’s file is loaded at the first request to the function, and only once', async () => {
  const loaded: string[] = [];
  const { routes, fallback } = functionRoutes(async (name) => {
    loaded.push(name);
    return { handler: async () => ({ statusCode: 204 }) };
  });
  expect(loaded).toEqual([]);
  const { handler } = routes.find(({ path }) => path === '/api/v1/track/click')!;
  const event = {} as Parameters<typeof handler>[0];
  expect([await handler(event), await handler(event), await fallback(event)]).toEqual(
    Array.from({ length: 3 }, () => ({ statusCode: 204 })),
  );
  expect(loaded).toEqual(['track/click', 'not-found']);
});

/** The modules of this project that a file imports statically, recursively. */
function importedBy(file: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(file)) return known;
  known.add(file);
  const text = readFileSync(join(import.meta.dirname, '../../../..', file), 'utf8');
  const imports = text.matchAll(/^(?:import|export) (?!type )[^;]*?from '#((?:lib|infra|functions)\/[^']+)';/gms);
  for (const [, path] of imports) importedBy(path!, known);
  return known;
}

// `npm start` answers the first request after all of them are loaded.
it('the start of a local run loads no function, nor the code for the demo’s history and the documents', () => {
  const atStart = importedBy('bin/local.ts');
  expect(atStart).toContain('infra/local/run/run.ts');
  const late = /^functions\/|^infra\/local\/demo\/demo-(?:history|player|plan)\.ts$|^lib\/wire\/document\//;
  expect([...atStart].filter((file) => late.test(file))).toEqual([]);
});
