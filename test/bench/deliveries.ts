import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '#infra/local/database/engine.ts';
import { ensureVaultKey } from '#infra/local/run/vault-key.ts';
import { openWorld } from '#test/support/programs/world.ts';
import { report } from '#test/bench/support/report.ts';

// Measures how many webhooks per second one endpoint gets. Its receiver runs in the same process as the sender.

const FACTS = 2_000;
const A_BATCH = 100;

const engine = await startEngine();
const folder = await mkdtemp(join(tmpdir(), 'bench-webhooks-'));
const VAULT_KEY_FILE = join(folder, 'vault-key.json');
await ensureVaultKey(VAULT_KEY_FILE);
Object.assign(process.env, { DYNAMODB_ENDPOINT: engine.endpoint, VAULT_KEY_FILE, WEBHOOK_ALLOW_LOOPBACK: '1' });

const counts = { received: 0 };
const server = createServer((request, response) => {
  counts.received += 1;
  request.resume().on('end', () => response.end());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const world = await openWorld();
const { addEndpoint, deliver, publish, someFact } = await import('#test/support/outbox/deliveries.ts');
const brand = await world.brand();
const { target } = await addEndpoint(world, brand, {
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
});

async function publishSome(count: number): Promise<void> {
  for (let at = 0; at < count; at += A_BATCH) {
    await publish(
      world,
      Array.from({ length: A_BATCH }, () => someFact(brand)),
    );
  }
}

const perSecond = (count: number, startedAt: number) => Math.round(count / ((performance.now() - startedAt) / 1_000));

const published = performance.now();
await publishSome(FACTS);
const publishedPerSecond = perSecond(FACTS, published);
const delivered = performance.now();
const cpu = process.cpuUsage();
await deliver(target);
const { user, system } = process.cpuUsage(cpu);
const deliveredPerSecond = perSecond(counts.received, delivered);
const cpuMs = (user + system) / 1_000 / counts.received;
while (counts.received < FACTS) await deliver(target);

await report('deliveries to one endpoint', {
  'that answers at once': {
    'facts published per second': publishedPerSecond,
    'facts delivered per second': deliveredPerSecond,
    'CPU ms of a delivery, both sides': cpuMs,
  },
});
server.close();
await rm(folder, { recursive: true });
await engine.stop();
