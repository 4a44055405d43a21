import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBRecord } from 'aws-lambda';
import { handler as sender } from '#functions/queue/deliver.ts';
import { handler as outboxHandler } from '#functions/stream/outbox.ts';
import { startEngine } from '#infra/local/database/engine.ts';
import { isOf } from '#infra/local/stream/stream-pump.ts';
import { ensureVaultKey } from '#infra/local/run/vault-key.ts';
import { outbox } from '#infra/routes.ts';
import { factKeys } from '#lib/service/ground/table/keys.ts';
import type { WakeMessage } from '#lib/service/outbox/effects/wake-queue.ts';
import { leadOf, saleOf } from '#test/live/brand.ts';
import type { Request } from '#test/live/caller.ts';
import { ask } from '#test/bench/support/in-process.ts';
import { perMillion, prices, usdPerMillion } from '#test/bench/support/prices.ts';
import { report, type Rows } from '#test/bench/support/report.ts';
import { clickOf } from '#test/bench/support/requests.ts';
import { addEndpoint } from '#test/support/outbox/deliveries.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { type SentCall, sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { SHARD, streamRecords } from '#test/support/table/stream.ts';
import { openWorld } from '#test/support/programs/world.ts';

// Measures what facts cost in addition to each event, and what it costs to send them. Table calls are measured; how
// long functions run on AWS is assumed.

/**
 * Memory in gigabytes and assumed run time in seconds: of the outbox per batch, and of the sender per endpoint with due
 * deliveries.
 */
const OUTBOX = { gigabytes: 2, seconds: 0.06 };
const SENDER = { gigabytes: 0.25, seconds: { alone: 0.35, each: 0.05 } };
/**
 * Each message costs three requests to the queue: it is sent, received and deleted. Requests that find no message are
 * not included.
 */
const QUEUE_REQUESTS = 3;

let messages = 0;
let sendingSeconds = 0;
const queueServer = createServer((request, response) => {
  messages += 1;
  request.resume().on('end', () => response.end('{"MessageId":"m-1"}'));
}).listen(0, '127.0.0.1');
await once(queueServer, 'listening');
const WEBHOOK_QUEUE_ENDPOINT = `http://127.0.0.1:${(queueServer.address() as AddressInfo).port}`;
Object.assign(process.env, { WEBHOOK_QUEUE_ENDPOINT, WEBHOOK_QUEUE_URL: WEBHOOK_QUEUE_ENDPOINT });

const engine = await startEngine();
const folder = await mkdtemp(join(tmpdir(), 'webhooks-'));
const VAULT_KEY_FILE = join(folder, 'vault-key.json');
await ensureVaultKey(VAULT_KEY_FILE);
Object.assign(process.env, { DYNAMODB_ENDPOINT: engine.endpoint, VAULT_KEY_FILE, WEBHOOK_ALLOW_LOOPBACK: '1' });
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.end('ok'));
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');

const world = await openWorld();
const brand = await world.brand();
const now = new Date();
await world.deps(now).ids.take(world.deps(now).table);
const clickId = await clicked(brand, { at: now });
const identifiers = { click_id: clickId, customer_key: 'buyer' };
const sale = (transactionId: string): Request =>
  saleOf(brand, { ...identifiers, transaction_id: transactionId, amount_cents: 4900 });

let seen = (await streamRecords(world)).length;

/** Sends a request. @returns the stream records that it makes for the outbox */
async function recordsOf(request: Request): Promise<DynamoDBRecord[]> {
  await ask(request, now);
  const all = await streamRecords(world);
  const added = all.slice(seen).filter((record) => outbox.records.some((filter) => isOf(filter, record)));
  seen = all.length;
  return added;
}

const consume = (Records: DynamoDBRecord[]) => sentCalls(() => outboxHandler({ shardId: SHARD, Records }));

await report('what facts add to an event', await factCosts());
await report('a million deliveries', await deliveryCosts());
receiver.close();
queueServer.close();
queueServer.closeAllConnections();
await engine.stop();
await rm(folder, { recursive: true });

/** Measures what facts cost if no endpoint receives them. */
async function factCosts(): Promise<Rows> {
  const requests = {
    click: clickOf(brand),
    lead: leadOf(brand, { ...identifiers, email: 'buyer@example.com' }),
    'first sale of a customer': sale('first'),
    'later sale': sale('second'),
  };
  const rows: Record<string, Rows[string]> = {};
  for (const [name, request] of Object.entries(requests)) {
    const records = await recordsOf(request);
    const calls = await consume(records);
    const { read, write } = unitsOf(calls);
    const run = perMillion(OUTBOX.gigabytes * OUTBOX.seconds);
    rows[name] = {
      records: records.length,
      facts: factsIn(calls),
      'read units': read,
      'write units': write,
      'USD per million, table': usdPerMillion({ read, write }),
      'with a function for it alone': usdPerMillion({ read, write }) + run,
      'in batches of 100 records': usdPerMillion({ read, write }) + (run * records.length) / outbox.batchSize,
    };
  }
  return rows;
}

function factsIn(calls: readonly SentCall[]): number {
  return calls.filter(({ input: { Item } }) => (Item as { pk?: string } | undefined)?.pk?.startsWith('FACTS#')).length;
}

/** Whether a call is about the deliveries to an endpoint. */
function isForEndpoint({ input }: SentCall): boolean {
  return /DELIVERIES#|WEBHOOK_WORK/.test(JSON.stringify(input));
}

/**
 * Runs the sender until everything is sent. That takes several runs, because it sends a host ten requests per second.
 */
async function sendAll(target: WakeMessage): Promise<SentCall[]> {
  const calls: SentCall[] = [];
  const body = JSON.stringify(target);
  do {
    // Each run must be in a new second, because the limit per host counts by the second.
    sendingSeconds += 2;
    const time = new Date(Date.now() + sendingSeconds * 1_000).toISOString();
    calls.push(...(await sentCalls(() => sender({ Records: [{ body }], time }))));
  } while ((await world.items(factKeys.dueDelivery(target.endpointId, '', '').pk)).length > 0);
  return calls;
}

/** Measures what a fact costs per endpoint. That depends on how many facts are due when the sender starts. */
async function deliveryCosts(): Promise<Rows> {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const { id: endpointId, programId, target } = await addEndpoint(world, brand, { url, events: ['sale.recorded'] });
  const rows: Record<string, Rows[string]> = {};
  let made = 0;
  const cases = [
    { count: 1, batches: 1 },
    { count: 2, batches: 1 },
    { count: 2, batches: 2 },
    { count: 4, batches: 1 },
    { count: 4, batches: 2 },
    { count: 10, batches: 1 },
    { count: 50, batches: 1 },
  ];
  for (const { count, batches } of cases) {
    const fannedOut: SentCall[] = [];
    messages = 0;
    for (let batch = 0; batch < batches; batch++) {
      const records: DynamoDBRecord[] = [];
      for (let n = 0; n < count / batches; n++) records.push(...(await recordsOf(sale(`delivered-${made++}`))));
      fannedOut.push(...(await consume(records)).filter(isForEndpoint));
    }
    const sending = await sendAll(target);
    const { read, write } = unitsOf([...fannedOut, ...sending]);
    const table = usdPerMillion({ read: read / count, write: write / count });
    const { alone, each } = SENDER.seconds;
    const lambda = perMillion(SENDER.gigabytes * Math.max(alone, each * count)) / count;
    const queue = (messages * QUEUE_REQUESTS * prices.queueRequest) / count;
    rows[`${count} at once${batches > 1 ? `, of ${batches} batches` : ''}`] = {
      'read units of one': read / count,
      'write units of one': write / count,
      'USD, table': table,
      'USD, function': lambda,
      'USD, queue': queue,
      USD: table + lambda + queue,
    };
  }
  const left = await world.items(`DUE_DELIVERIES#${endpointId}`);
  if (left.length > 0) throw new Error(`Of program ${programId} ${left.length} deliveries were not sent`);
  return rows;
}
