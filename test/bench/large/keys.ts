import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handler as sender } from '#functions/queue/deliver.ts';
import { handler as schedule } from '#functions/schedule/outbox.ts';
import { handler as count } from '#functions/stream/counters.ts';
import { handler as publish } from '#functions/stream/outbox.ts';
import { startEngine } from '#infra/local/database/engine.ts';
import { ensureVaultKey } from '#infra/local/run/vault-key.ts';
import { isOf } from '#infra/local/stream/stream-pump.ts';
import { type Consumer, counters, outbox } from '#infra/routes.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { leadOf, saleOf } from '#test/live/brand.ts';
import { ask } from '#test/bench/support/in-process.ts';
import { itemLoads } from '#test/bench/support/item-loads.ts';
import { report, type Rows } from '#test/bench/support/report.ts';
import { clickOf } from '#test/bench/support/requests.ts';
import { addEndpoint } from '#test/support/outbox/deliveries.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { type SentCall, sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { openWorld } from '#test/support/programs/world.ts';

// The keys that many events of one program share: the units that an event takes of each, with all that follows from it,
// and the rate at which the key is full. The program has an endpoint for every fact, a hold, and partners in tiers.

const EVENTS = 100;
const PARTNERS_IN_TIERS = 1_000;
/** The program's own terms have the same. */
const HOLD_DAYS = 30;
const HOTTEST = 12;
/** The share of written units that the sum over all keys may miss: index rows that an update moves. */
const MOST_DIFFERENCE = 0.05;
const LIMITS = { read: 3_000, write: 1_000 };

const engine = await startEngine();
const folder = await mkdtemp(join(tmpdir(), 'keys-'));
const VAULT_KEY_FILE = join(folder, 'vault-key.json');
await ensureVaultKey(VAULT_KEY_FILE);
Object.assign(process.env, { DYNAMODB_ENDPOINT: engine.endpoint, VAULT_KEY_FILE, WEBHOOK_ALLOW_LOOPBACK: '1' });
// This module reads the engine's address from the environment when it is loaded.
const { SHARD, streamRecords } = await import('#test/support/table/stream.ts');
const receiver = createServer((request, response) => request.resume().on('end', () => response.end('ok')));
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');

const world = await openWorld();
const brand = await world.brand();
const now = new Date();
/** Each in another second, so that no limit of a minute is reached. */
const timeOf = (n: number) => new Date(now.getTime() + n * 3_000);
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
const { target } = await addEndpoint(world, brand, { url, events: ['*'] });
await world.deps(now).ids.take(world.deps(now).table);
const seen = { records: 0 };

/** Calls of the consumers for all records since the last time, in batches as on AWS. */
async function consumed(): Promise<SentCall[]> {
  const fresh = (await streamRecords(world)).slice(seen.records);
  seen.records += fresh.length;
  const batches = async ({ records: filters, batchSize }: Consumer, run: typeof count) => {
    const Records = fresh.filter((record) => filters.some((filter) => isOf(filter, record)));
    for (let at = 0; at < Records.length; at += batchSize) {
      await run({ shardId: SHARD, Records: Records.slice(at, at + batchSize) });
    }
  };
  return sentCalls(async () => {
    await batches(counters, count);
    await batches(outbox, publish);
  });
}

/** Everything that follows from events until their holds have ended: counters, facts, deliveries, approvals. */
async function allCalls(events: () => Promise<unknown>): Promise<SentCall[]> {
  const calls = [...(await sentCalls(events)), ...(await consumed())];
  const send = async (at: Date) => {
    do {
      at = new Date(at.getTime() + 2_000);
      calls.push(
        ...(await sentCalls(() => sender({ Records: [{ body: JSON.stringify(target) }], time: at.toISOString() }))),
      );
    } while ((await world.items(`DUE_DELIVERIES#${target.endpointId}`)).length > 0);
  };
  await send(timeOf(EVENTS));
  const later = new Date(timeOf(EVENTS).getTime() + HOLD_DAYS * DAY_MS);
  calls.push(...(await sentCalls(() => schedule({ time: later.toISOString() }))), ...(await consumed()));
  await send(later);
  return calls;
}

async function hottest(name: string, calls: readonly SentCall[]): Promise<void> {
  const loads = await itemLoads(calls, async (Key) => {
    const { Item } = await world.client.send(new GetCommand({ TableName: world.tableName, Key, ConsistentRead: true }));
    return Item;
  });
  const shared = new Map<string, { read: number; write: number }>();
  for (const [item, { read, write }] of loads) {
    const key = sharedKeyOf(item);
    if (key === undefined) continue;
    const before = shared.get(key) ?? { read: 0, write: 0 };
    shared.set(key, { read: before.read + read, write: before.write + write });
  }
  const shareOf = ({ read, write }: { readonly read: number; readonly write: number }) =>
    Math.max(read / LIMITS.read, write / LIMITS.write) / EVENTS;
  const rows: Record<string, Rows[string]> = {};
  for (const [key, load] of [...shared].toSorted(([, a], [, b]) => shareOf(b) - shareOf(a)).slice(0, HOTTEST)) {
    rows[key] = {
      'read units of one': load.read / EVENTS,
      'write units of one': load.write / EVENTS,
      'full at events a second': 1 / shareOf(load),
    };
  }
  const { read, write } = unitsOf(calls);
  const counted = [...loads.values()].reduce((sum, load) => sum + load.write, 0);
  if (Math.abs(counted - write) > MOST_DIFFERENCE * write)
    throw new Error(`The engine wrote ${write} units, not ${counted}`);
  rows['all keys'] = {
    'read units of one': read / EVENTS,
    'write units of one': write / EVENTS,
    'full at events a second': '',
  };
  await report(`keys: ${name}`, rows);
}

/** The partition of an item, or the item itself in a program's partition; undefined if it belongs to one event. */
function sharedKeyOf(item: string): string | undefined {
  if (/^(CUSTOMER|SALE|KEY|COMMISSION|APPROVAL|EMAIL|ERASURE|index CUSTOMER|WINDOW#(?!sale))/.test(item))
    return undefined;
  const name = item.startsWith('index ') || /^(PROGRAM|COUNTER)#/.test(item) ? item : item.split(' ')[0]!;
  return name.replaceAll(/[0-9a-f]{64}/g, '…');
}

const clicks = await allCalls(async () => {
  for (let n = 0; n < EVENTS; n++) await ask(clickOf(brand), timeOf(n));
});
await hottest('a click', clicks);

const clickIds: string[] = [];
for (let n = 0; n < EVENTS; n++) clickIds.push(await clicked(brand, { at: timeOf(n) }));
await consumed();
const leads = await allCalls(async () => {
  for (const [n, click_id] of clickIds.entries()) {
    await ask(leadOf(brand, { click_id, customer_key: `user-${n}`, email: `user-${n}@example.com` }), timeOf(n));
  }
});
await hottest('a lead', leads);

const first = await allCalls(() => sell('first'));
await hottest('a sale, of a program without groups', first);

const partnerIds = Array.from({ length: PARTNERS_IN_TIERS }, (_, n) => brand.partner.id + n);
const tiers = [{ fromSales: 10, rate: 25 }];
const terms = { commissionType: 'percent', commissionRate: 20, holdPeriodDays: HOLD_DAYS, tiers };
const group = { id: 1, name: 'All', createdAt: now.toISOString(), terms, version: 2, partnerIds: new Set(partnerIds) };
const month = Number(now.toISOString().slice(0, 7).replace('-', ''));
await world.deps().table.put(keys.agreements(brand.program.id), {
  revision: 1,
  groups: [group],
  personal: {},
  ...Object.fromEntries(partnerIds.slice(1).map((id) => [`s${id}`, month * 1_000_000_000])),
});
await hottest(`a sale, of a program with ${PARTNERS_IN_TIERS} partners in tiers`, await allCalls(() => sell('tiers')));

async function sell(prefix: string): Promise<void> {
  for (let n = 0; n < EVENTS; n++) {
    const body = { transaction_id: `${prefix}-${n}`, amount_cents: 4_900, customer_key: `user-${n}` };
    const { status } = await ask(saleOf(brand, body), timeOf(n));
    if (status !== 200) throw new Error(`A sale got ${status}`);
  }
}

receiver.close();
receiver.closeAllConnections();
await engine.stop();
await rm(folder, { recursive: true });
