import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureVaultKey } from '#infra/local/run/vault-key.ts';
import { discardContainer } from '#lib/service/ground/effects/container.ts';
import { createLink } from '#lib/service/programs/links/create-link.ts';
import { patiently } from '#test/infra/local/demo/living-demo.ts';
import { startLocal } from '#test/infra/local/run/local-process.ts';
import { addEndpoint } from '#test/support/outbox/deliveries.ts';
import { openReceiver, type Receiver } from '#test/support/outbox/webhook-receiver.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let folder: string;
let world: World;
let brand: Brand;
let receiver: Receiver;
let local: Awaited<ReturnType<typeof startLocal>>;

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
  local = await startLocal(folder, {
    DEMO: '0',
    DYNAMODB_ENDPOINT: process.env.DYNAMODB_ENDPOINT!,
    TABLE_NAME: world.tableName,
  });
});
afterAll(async () => {
  await local.end();
  await rm(folder, { recursive: true });
});

/** The links in the receiver's events. */
const sentLinks = (): string[] => receiver.received.map(({ body }) => (JSON.parse(body) as Sent).data.short_link);

interface Sent {
  readonly data: { readonly short_link: string };
}

it('a local run repeats a failed webhook when the clock is moved to the time of the next attempt', async () => {
  const endpoint = await addEndpoint(world, brand, { url: receiver.url, events: ['link.created'] });
  receiver.status(500);
  const { program, partner } = brand;
  await createLink(world.deps(new Date()), program.id, { partnerId: partner.id, shortLink: 'retried' });
  await expect.poll(sentLinks, patiently).toContain('retried');
  await expect
    .poll(async () => (await endpoint.deliveries()).find(({ failures }) => failures === 1), patiently)
    .toBeTruthy();
  receiver.answer();
  await advance(10);
  await expect.poll(sentLinks, patiently).toContain('retried');
  await expect.poll(() => endpoint.work(), patiently).toBeUndefined();
});
