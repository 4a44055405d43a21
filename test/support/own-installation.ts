import { afterAll } from 'vitest';
import { discardContainer } from '#lib/service/container.ts';
import { sendBy } from '#test/support/request.ts';

/**
 * Vitest's setup: each test file is an installation of its own. The way of its requests, what it puts into the
 * environment and the container made from it end with the file, also where the next one runs in the same process.
 */
sendBy();
const environment = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  discardContainer();
});
