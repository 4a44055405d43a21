import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failToStart, startLocal } from '#test/infra/local/run/local-process.ts';
import { problemsOf, resultOf, smoke } from '#test/smoke/smoke-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'smoke-'));
});
afterAll(() => rm(folder, { recursive: true }));

// The test of deployed bundles is in test/infra/build/bundle.deep.test.ts.
describe('the smoke test of a local run', () => {
  let local: Awaited<ReturnType<typeof startLocal>>;
  let key: string;
  beforeAll(async () => {
    local = await startLocal(folder);
    key = local.run.demo!.program_api_key;
  });
  afterAll(() => local.end());

  it('passes every check', async () => {
    const ended = await smoke(['--base-url', local.run.base_url, '--api-key', key, '--json']);
    const { code, out, error } = ended;
    const result = resultOf(ended);
    expect(problemsOf(result)).toEqual([]);
    expect([code, error, result.ok, result.base_url]).toEqual([0, '', true, local.run.base_url]);
    expect(result.checks.length).toBeGreaterThan(30);
    expect(out).not.toContain(key);
  });

  it('passes the public checks if no program key is given', async () => {
    const { code, out } = await smoke(['--base-url', `${local.run.base_url}/`]);
    const lines = out.trim().split('\n');
    expect(lines.slice(0, -1).filter((line) => !line.startsWith('✔ '))).toEqual([]);
    expect(lines.at(-1)).toMatch(/^(\d+) of \1 checks passed\. Without a key: the public ones only\.$/);
    expect(code).toBe(0);
  });

  it('reads the program key from the environment, and shows which check fails with a wrong key', async () => {
    const { code, out } = await smoke(['--base-url', local.run.base_url], { SERVICE_API_KEY: 'aff_of_nobody' });
    const failed = out.split('\n').find((line) => line.startsWith('✖ '));
    expect(failed).toMatch(/^✖ readiness tells how far the program is: answered 401 instead of 200/);
    expect(out).not.toContain('aff_of_nobody');
    expect(code).toBe(1);
  });
});

describe('the smoke test of a service that answers wrongly', () => {
  it('fails each check, and never prints the program key', async () => {
    const key = 'aff_1_secret';
    // This server repeats the request in its reply, including the credentials.
    const server = createServer((request, response) => {
      response.end(JSON.stringify({ was: request.headers, poll_url: null }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, out } = await smoke(['--base-url', `http://127.0.0.1:${port}`, '--api-key', key]);
    server.close();
    const lines = out.trim().split('\n');
    expect(lines.slice(0, -1).filter((line) => line.startsWith('✔ '))).toEqual([]);
    expect(lines.at(-1)).toMatch(/^0 of \d+ checks passed\.$/);
    expect(out).not.toContain(key);
    expect(code).toBe(1);
  });

  it('reports that the service cannot be reached', async () => {
    const { code, out } = await smoke(['--base-url', 'http://127.0.0.1:1', '--json']);
    const { ok, checks } = JSON.parse(out);
    expect([code, ok]).toEqual([1, false]);
    expect(checks[0].problem).toMatch(/^fetch failed: /);
  });
});

describe('a wrong command line of the smoke test prints its usage', () => {
  it.each([
    [[], '--base-url must be an http or https URL, or --stage a deployed stage'],
    [['--stage', 'prod', '--base-url', 'https://example.com'], 'Give --stage or --base-url, not both'],
    [['--base-url', 'example.com'], '--base-url must be an http or https URL'],
    [['--url', 'https://example.com'], "Unknown option '--url'"],
  ])('%j', async (words, problem) => {
    const { code, out, error } = await smoke(words);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain(problem);
    expect(error).toContain('npm run smoke -- (--stage <stage> | --base-url <url>) [--api-key <key>] [--json]');
  });
});

it('the smoke test says how to build the bundles if they are missing', async () => {
  const { code, said } = await failToStart(folder, { FUNCTIONS: join(folder, 'nothing') });
  expect(code).toBe(1);
  expect(said).toMatch(/There is no bundled function .*index\.mjs\. `npm run bundle` makes dist\/functions\./);
});
