import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { startEngine } from '#infra/local/database/engine.ts';
import { factKeys, keys } from '#lib/service/ground/table/keys.ts';
import { markErased } from '#lib/service/operations/erasure/erase-customer.ts';
import { dueErasures } from '#lib/service/operations/erasure/erasure-items.ts';
import { eraseRecords } from '#lib/service/operations/erasure/erase-records.ts';
import { beginFacts } from '#lib/service/programs/program/programs-items.ts';
import { customerWithData } from '#lib/service/traffic/customers/customer-with-data.ts';
import { usdPerMillion } from '#test/bench/support/prices.ts';
import { report, type Rows } from '#test/bench/support/report.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { openWorld } from '#test/support/programs/world.ts';

// How long an erasure takes in a program in which one customer has nearly all sales and facts: that of another customer,
// which only looks through them, and that of this customer, which changes all of them.

const SALES = 20_000;
/** DynamoDB's limit for BatchWriteItem. */
const MOST_ITEMS = 25;

type Item = Readonly<Record<string, unknown>>;

const engine = await startEngine();
process.env.DYNAMODB_ENDPOINT = engine.endpoint;
// This module reads the engine's address from the environment when it is loaded.
const { factPump } = await import('#test/support/outbox/facts.ts');
const world = await openWorld();
const brand = await world.brand();
const programId = brand.program.id;
const now = new Date();
const deps = world.deps(now);
await beginFacts(deps.table, programId, now);
await soldTo(brand, 'often', { transaction_id: 'often' }, { at: now });
await soldTo(brand, 'once', { transaction_id: 'once' }, { at: now });
await (await factPump(world)).run(now);
const [oftenSale, onceSale] = await Promise.all(['often', 'once'].map((id) => deps.table.get<Item>(keys.sale(id))));
const clickIdOf = (sale: Item | undefined) => (sale!.attribution as { readonly clickId: string }).clickId;
const facts = await world.items(factKeys.fact(programId, '').pk);
const saleFact = facts.find(({ type, row }) => type === 'sale.recorded' && !String(row).includes('"once"'))!;

for (let n = 0; n < SALES; n += MOST_ITEMS) {
  const some = Array.from({ length: MOST_ITEMS }, (_, at) => n + at);
  for (const copies of [some.map(saleNumber), some.map(factNumber)]) {
    const RequestItems = { [world.tableName]: copies.map((copy) => ({ PutRequest: { Item: copy } })) };
    await world.client.send(new BatchWriteCommand({ RequestItems }));
  }
}

function saleNumber(n: number): Item {
  const id = 1_000_000 + n;
  const transactionId = `often-${n}`;
  return {
    ...oftenSale,
    ...keys.sale(transactionId),
    id,
    transactionId,
    gsi1sk: `${String(oftenSale!.createdAt)}#${id}`,
  };
}

function factNumber(n: number): Item {
  const id = `${String(saleFact.id).slice(0, -12)}${String(n).padStart(12, '0')}`;
  return { ...saleFact, ...factKeys.fact(programId, id), id };
}

async function erased(clickId: string): Promise<Rows[string]> {
  await markErased(deps, () => customerWithData(deps, programId, clickId));
  const due = (await dueErasures(deps.table)).filter((one) => one.clickId === clickId);
  const startedAt = performance.now();
  const calls = await sentCalls(() => eraseRecords(deps, due));
  const seconds = (performance.now() - startedAt) / 1_000;
  const { read, write } = unitsOf(calls);
  return {
    seconds,
    'sales and facts a minute': (2 * SALES * 60) / seconds,
    calls: calls.length,
    'read units': read,
    'write units': write,
    USD: usdPerMillion({ read, write }) / 1e6,
  };
}

await report(`erasures, in a program with ${SALES} sales and facts`, {
  'of a customer with one sale': await erased(clickIdOf(onceSale)),
  'of a customer with all others': await erased(clickIdOf(oftenSale)),
});
await engine.stop();
