import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureVaultKey } from '#infra/local/vault-key.ts';
import { discardContainer } from '#lib/service/container.ts';
import { createLink } from '#lib/service/use-cases/create-link.ts';
import { patiently } from '#test/infra/local/living-demo.ts';
import { startLocal } from '#test/infra/local/local-process.ts';
import { addEndpoint, type TestEndpoint } from '#test/support/deliveries.ts';
import { openReceiver, type Receiver } from '#test/support/webhook-receiver.ts';
import { type Brand, openWorld, type World } from '#test/support/world.ts';

let folder: string;
let world: World;
let brand: Brand;
let receiver: Receiver;
let local: Awaited<ReturnType<typeof startLocal>>;
let starts = 0;

/** The local run on the tests' engine, some minutes ahead of the one before: whoever died has lost its lease. */
async function start(): Promise<void> {
  local = await startLocal(folder, {
    DEMO: '0',
    DYNAMODB_ENDPOINT: process.env.DYNAMODB_ENDPOINT!,
    TABLE_NAME: world.tableName,
  });
  await advance(120 * starts++);
}

const advance = (advance_seconds: number) =>
  fetch(`${local.run.base_url}/local/clock`, { method: 'POST', body: JSON.stringify({ advance_seconds }) });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-webhooks-'));
  world = await openWorld();
  receiver = await openReceiver();
  await mkdir(join(folder, '.local'));
  const VAULT_KEY_FILE = join(folder, '.local', 'vault-key.json');
  await ensureVaultKey(VAULT_KEY_FILE);
  Object.assign(process.env, { VAULT_KEY_FILE });
  discardContainer();
  brand = await world.brand();
  await start();
});
afterAll(async () => {
  await local.end();
  await rm(folder, { recursive: true });
});

const endpointAt = (path: string): Promise<TestEndpoint> =>
  addEndpoint(world, brand, { url: `${receiver.url}${path}`, events: ['link.created'] });

async function addLinks(count: number, prefix: string): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
  const { id: partnerId } = brand.partner;
  for (let at = 0; at < count; at += 10) {
    await Promise.all(
      names
        .slice(at, at + 10)
        .map((shortLink) => createLink(world.deps(new Date()), brand.program.id, { partnerId, shortLink })),
    );
  }
  return names;
}

interface Sent {
  readonly type: string;
  readonly data: { readonly short_link: string };
}

/** What came to an endpoint of the links with a prefix, by link. */
const idsByLink = (prefix: string): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>();
  for (const { headers, body } of receiver.received) {
    const { data } = JSON.parse(body) as Sent;
    if (!data.short_link.startsWith(prefix)) continue;
    found.set(data.short_link, (found.get(data.short_link) ?? new Set()).add(headers['webhook-id'] as string));
  }
  return found;
};

it('tries again when the clock is moved to the next attempt', async () => {
  const endpoint = await endpointAt('/retried');
  receiver.status(500);
  const [name] = await addLinks(1, 'retried');
  await expect.poll(() => idsByLink('retried').has(name!), patiently).toBe(true);
  await expect
    .poll(async () => (await endpoint.deliveries()).find(({ failures }) => failures === 1), patiently)
    .toBeTruthy();
  receiver.answer();
  await advance(10);
  await expect.poll(() => idsByLink('retried').has(name!), patiently).toBe(true);
  await expect.poll(() => endpoint.work(), patiently).toBeUndefined();
  await endpoint.remove();
});

const FACTS = 1_000;
const KILLS = 4;

it(
  'sends each of many facts though its process is killed again and again, and copies have one id',
  { timeout: 600_000 },
  async () => {
    const endpoint = await endpointAt('/killed');
    receiver.answer();
    const adding = addLinks(FACTS, 'killed');
    for (let kill = 1; kill <= KILLS; kill++) {
      const enough = (kill * FACTS) / (KILLS + 1);
      await expect.poll(() => idsByLink('killed').size, { ...patiently, interval: 20 }).toBeGreaterThan(enough);
      await local.end('SIGKILL');
      await start();
    }
    const names = await adding;
    await expect.poll(() => idsByLink('killed').size, patiently).toBe(FACTS);
    await expect.poll(() => endpoint.work(), patiently).toBeUndefined();

    const ids = idsByLink('killed');
    expect([...ids.keys()].toSorted()).toEqual(names.toSorted());
    expect([...ids.values()].filter(({ size }) => size !== 1)).toEqual([]);
    expect(new Set([...ids.values()].flatMap((each) => [...each])).size).toBe(FACTS);
    for (const { headers, body } of receiver.received) {
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      const signature = new Webhook(endpoint.secret).sign(headers['webhook-id'] as string, at, body);
      expect(headers['webhook-signature']).toBe(signature);
    }
    expect((await endpoint.deliveries()).filter(({ status }) => status !== 'delivered')).toEqual([]);
    expect(await endpoint.due()).toEqual([]);
  },
);
