import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from '#infra/build/bundle.ts';
import { requestDeps } from '#lib/service/deps.ts';
import { type Demo, ensureDemo } from '#infra/local/demo.ts';
import { fromBundle, functionRoutes } from '#infra/local/function-routes.ts';
import { listen, type Server } from '#infra/local/server.ts';
import { withLocalDefaults } from '#infra/local/settings.ts';
import { createTestTable } from '#test/support/create-table.ts';

const now = Date.parse('2026-11-20T15:00:00.000Z');
let folder: string;
let server: Server;
let demo: Demo;

async function track(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/track/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${demo.program_api_key}` },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  server = await listen(0);
  const environment = { TABLE_NAME: await createTestTable() };
  const endpoint = process.env.DYNAMODB_ENDPOINT!;
  Object.assign(process.env, withLocalDefaults(environment, `http://127.0.0.1:${server.port}`, endpoint));
  demo = await ensureDemo(() => requestDeps(new Date(now), 'test'), { size: 'small', port: server.port });
  await bundle(folder);
  server.serve({ ...(await functionRoutes(fromBundle(folder))), now: () => now });
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

it('what the stack deploys leads a visitor from the click to the refund', async () => {
  const { click_id } = await track('click', { affiliate_url: 'https://acme.test/?aff=ana' });
  expect(await track('lead', { click_id, customer_key: 'user-1' })).toMatchObject({ success: true });
  const sale = { transaction_id: 'order-1', customer_key: 'user-1', amount_cents: 4900 };
  expect(await track('sale', sale)).toMatchObject({ success: true, attributed: true });
  expect(await track('refund', { transaction_id: 'order-1' })).toMatchObject({ status: 'reversed' });
  expect(await track('unknown', {})).toMatchObject({ error: { status: 404 } });
});
