import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { randomBytes } from 'node:crypto';
import { handler } from '#functions/queue/deliver.ts';
import type { Delivery } from '#lib/service/outbox/sending/delivery.ts';
import { type Fact, factIdOf } from '#lib/service/outbox/facts/fact.ts';
import type { WebhookEndpoint } from '#lib/service/outbox/webhooks/webhook.ts';
import { storeFact } from '#lib/service/outbox/facts/facts-items.ts';
import { factKeys } from '#lib/service/ground/table/keys.ts';
import { removeItem } from '#lib/service/ground/table/removal.ts';
import { beginFacts } from '#lib/service/programs/program/programs-items.ts';
import { findWebhooks, webhooksWrite } from '#lib/service/outbox/webhooks/webhooks-items.ts';
import { fanOut } from '#lib/service/outbox/deliveries/fan-out.ts';
import { seal } from '#lib/service/ground/effects/vault.ts';
import type { WakeMessage } from '#lib/service/outbox/effects/wake-queue.ts';
import { NOW } from '#test/support/callers/request.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

let endpoints = 0;

/** Stores a webhook endpoint of a program with its secret, as a request to the dashboard's API would. */
export async function addEndpoint(
  world: World,
  { program: { id: programId } }: Brand,
  settings: Partial<WebhookEndpoint> & Pick<WebhookEndpoint, 'url'>,
) {
  const deps = world.deps();
  const id = 9_000 + ++endpoints;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const endpoint: WebhookEndpoint = {
    id,
    description: '',
    events: ['*'],
    status: 'active',
    secrets: [{ sealed: await seal(deps, secret, { programId }) }],
    createdAt: NOW.toISOString(),
    ...settings,
  };
  await beginFacts(deps.table, programId, NOW);
  await setEndpoints(world, programId, (all) => [...all, endpoint]);
  const find = async () => (await findWebhooks(world.deps().table, programId)).endpoints.find((one) => one.id === id);

  return {
    id,
    programId,
    secret,
    target: { endpointId: id, programId },
    /** Reads the stored endpoint; undefined if it was deleted. */
    find,
    change: (changes: Partial<WebhookEndpoint>) =>
      setEndpoints(world, programId, (all) => all.map((one) => (one.id === id ? { ...one, ...changes } : one))),
    remove: () => setEndpoints(world, programId, (all) => all.filter((one) => one.id !== id)),
    deliveries: () => world.items(factKeys.delivery(id, '').pk) as unknown as Promise<Delivery[]>,
    due: () => world.items(factKeys.dueDelivery(id, '', '').pk),
    replays: () => world.items(factKeys.replay(id).pk),
    work: async () => (await world.items('WEBHOOK_WORK')).find(({ endpointId }) => endpointId === id),
  };
}

export type TestEndpoint = Awaited<ReturnType<typeof addEndpoint>>;

async function setEndpoints(
  world: World,
  programId: number,
  change: (endpoints: readonly WebhookEndpoint[]) => WebhookEndpoint[],
): Promise<void> {
  const { table } = world.deps();
  const webhooks = await findWebhooks(table, programId);
  await table.transact([webhooksWrite(programId, webhooks, change(webhooks.endpoints))]);
}

let facts = 0;

export function someFact({ program }: Brand, settings: Partial<Fact> = {}): Fact {
  const { type = 'sale.recorded', timestamp = NOW.toISOString() } = settings;
  const number = ++facts;
  return {
    id: factIdOf(type, `test ${number}`, timestamp),
    type,
    programId: program.id,
    isTest: false,
    timestamp,
    data: { id: number, transaction_id: `in_${number}`, amount_cents: 4_900 },
    ...settings,
  };
}

/** Processes facts as the function does that consumes the table's stream. */
export async function publish(world: World, published: readonly Fact[], at = NOW): Promise<void> {
  await Promise.all(published.map((fact) => storeFact(world.deps(at).table, fact)));
  await fanOut(world.deps(at), published);
}

/** Calls the function that sends webhooks, as its queue does. */
export const deliver = (target: WakeMessage, at: Date = NOW, remainingMs = 60_000): Promise<void> =>
  handler(
    { Records: [{ body: JSON.stringify(target) }], time: at.toISOString() },
    { getRemainingTimeInMillis: () => remainingMs },
  );

/**
 * Calls the sender for one second after another until everything is sent, because it sends a host only a few requests
 * per second.
 */
export async function deliverAll({ target, work }: TestEndpoint, from: Date = NOW): Promise<void> {
  for (let seconds = 0; await work(); seconds++) {
    if (seconds > 60) throw new Error('The work comes to no end');
    await deliver(target, new Date(from.getTime() + seconds * 1_000));
  }
}

/** Finds every item of the table that has this sort key. */
export const scanned = (world: World, sk: string): Promise<Record<string, unknown>[]> =>
  scannedWhere(world, (item) => item.sk === sk);

/**
 * Deletes the counts of how many requests each host got per second. Tests use the same host at the same time, so one
 * test would otherwise use up the limit of another.
 */
export async function forgetTurns(world: World): Promise<void> {
  const turns = await scannedWhere(world, ({ pk }) => String(pk).startsWith('WINDOW#delivery#'));
  const { table } = world.deps();
  await Promise.all(turns.map(({ pk, sk }) => removeItem(table, { pk: String(pk), sk: String(sk) })));
}

async function scannedWhere(
  { client, tableName }: World,
  isWanted: (item: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>[]> {
  const pages = paginateScan({ client }, { TableName: tableName, ConsistentRead: true });
  const found: Record<string, unknown>[] = [];
  for await (const { Items = [] } of pages) found.push(...Items.filter(isWanted));
  return found;
}
