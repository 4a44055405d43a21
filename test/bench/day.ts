import { consumers } from '#infra/routes.ts';
import { startEngine } from '#infra/local/database/engine.ts';
import { feedKeys } from '#lib/service/ground/table/keys.ts';
import { leadOf, saleOf } from '#test/live/brand.ts';
import type { Request } from '#test/live/caller.ts';
import { clicked, soldTo } from '#test/support/payments/lives/journeys.ts';
import { type SentCall, sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { openWorld } from '#test/support/programs/world.ts';
import { ask } from '#test/bench/support/in-process.ts';
import { keyLoad } from '#test/bench/support/key-load.ts';
import {
  BUSIEST_SECOND,
  DAY,
  everySecond,
  type Kind,
  kinds,
  type Rate,
  rateAt,
  SECONDS,
} from '#test/bench/support/tables/large-day.ts';
import { type CounterLoad, counterLoad } from '#test/bench/support/tables/modelled-counters.ts';
import { usdPerMillion } from '#test/bench/support/prices.ts';
import { report, type Rows } from '#test/bench/support/report.ts';
import { clickOf } from '#test/bench/support/requests.ts';

// Models a day of a large service. What a request costs per key is measured on the embedded engine, and how counters
// are split into transactions follows the service's own rule. The number of events, their owners and their times are assumed.

/** Capacity units per second that DynamoDB allows for one partition key. A whole table is limited by `TABLE_QUOTA`. */
const KEY_LIMITS = { read: 3_000, write: 1_000 };
const TABLE_QUOTA = 40_000;
const { batchSize, batchWindowSeconds } = consumers[0]!;

/** Seconds for which a container works on one click. It does no other work. */
const CLICK_SECONDS = 0.02;

interface SharedKey {
  readonly key: RegExp;
  readonly name: string;
  /** If set, the load is shared by this many keys of the same kind. */
  readonly spreadOver?: number;
  /** Set if a container reads the item only once per second, and uses it for all clicks of that second. */
  readonly isRemembered?: true;
}

/** Keys that many events share, by their beginning. Every other key belongs to one customer, sale or caller. */
const sharedKeys: readonly SharedKey[] = [
  { key: /^PROGRAM#\d+$/, name: 'PROGRAM#…', isRemembered: true },
  { key: /^CREDENTIAL#/, name: 'CREDENTIAL#…' },
  {
    key: /#EVENTS#click(#\d+)?$/,
    name: 'index PROGRAM#…#EVENTS#click#…',
    spreadOver: feedKeys(0, 'click', 'EVENTS').length,
  },
  { key: /#EVENTS#lead$/, name: 'index PROGRAM#…#EVENTS#lead' },
  { key: /#EVENTS#sale$/, name: 'index PROGRAM#…#EVENTS#sale' },
  { key: /#COMMISSIONS$/, name: 'index PROGRAM#…#COMMISSIONS' },
];

/** Items that the counters of the first program are written to. */
const countersOfFirst: Readonly<Record<string, RegExp>> = {
  'COUNTER#PROGRAM#…': /^COUNTER#PROGRAM#0 COUNTER$/,
  'COUNTER#LINK#… of the first link': /^COUNTER#LINK#0-0 COUNTER$/,
  'SHARDS, all of them': /^SHARDS /,
};

const recorded = await recordedCalls();
const ratesAt = (second: number): Rate => total((kind) => rateAt(kind, second));
const eventsOfADay = kinds.reduce((sum, kind) => sum + DAY[kind], 0);
const busiest = ratesAt(BUSIEST_SECOND);
const typical = total((kind) => meanOf(everySecond((second) => rateAt(kind, second))));
const eventUnits = (rate: (kind: Kind) => number) =>
  kinds.reduce((sum, kind) => sum + rate(kind) * unitsOf(recorded[kind]).write, 0);
const busiestEvents = eventUnits((kind) => allOf(rateAt(kind, BUSIEST_SECOND)));
const shards = await shardsFor(busiestEvents);

/**
 * Records the calls of one request of each kind. The sale is the customer's first one, because most customers buy once.
 */
async function recordedCalls(): Promise<Record<Kind, SentCall[]>> {
  const engine = await startEngine();
  process.env.DYNAMODB_ENDPOINT = engine.endpoint;
  const world = await openWorld();
  const brand = await world.brand();
  const now = new Date();
  await world.deps(now).ids.take(world.deps(now).table);
  await soldTo(brand, 'warm', { transaction_id: 'warm' }, { at: now });
  const clickId = await clicked(brand, { at: now });
  const calls = (request: Request) => sentCalls(() => ask(request, now));
  const identifiers = { click_id: clickId, customer_key: 'buyer' };
  const found = {
    click: await calls(clickOf(brand)),
    lead: await calls(leadOf(brand, { ...identifiers, email: 'buyer@example.com' })),
    sale: await calls(saleOf(brand, { ...identifiers, transaction_id: 'order', amount_cents: 4900 })),
  };
  await engine.stop();
  return found;
}

function total(rateOf: (kind: Kind) => Rate): Rate {
  const rates = kinds.map(rateOf);
  return {
    first: rates.reduce((sum, { first }) => sum + first, 0),
    others: rates.reduce((sum, { others }) => sum + others, 0),
  };
}

function meanOf(rates: readonly Rate[]): Rate {
  return {
    first: rates.reduce((sum, { first }) => sum + first, 0) / rates.length,
    others: rates.reduce((sum, { others }) => sum + others, 0) / rates.length,
  };
}

function allOf({ first, others }: Rate): number {
  return first + others;
}

const usdOf = ({ readUnitsOfAnEvent, unitsOfAnEvent }: CounterLoad): number =>
  usdPerMillion({ read: readUnitsOfAnEvent, write: unitsOfAnEvent });

/**
 * Returns the number of shards. A shard takes a thousand write units per second. Counters are written, too, and more
 * shards make more and smaller batches, so the number is increased until it is sufficient.
 */
async function shardsFor(events: number): Promise<number> {
  let found = 1;
  for (;;) {
    const { unitsOfAnEvent } = await counterLoad(busiest, { shards: found, batchWindowSeconds, batchSize });
    const needed = Math.ceil((events + unitsOfAnEvent * allOf(busiest)) / KEY_LIMITS.write);
    if (needed <= found) return found;
    found = needed;
  }
}

async function theTable(): Promise<Rows> {
  const rows: Record<string, Rows[string]> = {};
  for (const kind of kinds) {
    const { read, write } = unitsOf(recorded[kind]);
    rows[`${kind}s`] = {
      'a day': DAY[kind],
      'read units of one': read,
      'write units of one': write,
      'USD a day': (DAY[kind] / 1e6) * usdPerMillion({ read, write }),
    };
  }
  const delivery = { shards, batchWindowSeconds, batchSize };
  const usual = await counterLoad(typical, delivery);
  const most = await counterLoad(busiest, delivery);
  rows.counters = {
    'a day': eventsOfADay,
    'read units of one': usual.readUnitsOfAnEvent,
    'write units of one': usual.unitsOfAnEvent,
    'USD a day': (eventsOfADay / 1e6) * usdOf(usual),
    'USD a day, writes alone': (eventsOfADay / 1e6) * usdPerMillion({ read: 0, write: usual.unitsOfAnEvent }),
    'records of a batch': usual.recordsOfABatch,
  };
  const atMean = eventUnits((kind) => DAY[kind] / SECONDS) + usual.unitsOfAnEvent * allOf(typical);
  const atMost = busiestEvents + most.unitsOfAnEvent * allOf(busiest);
  rows['write units a second'] = { mean: atMean, busiest: atMost, 'of the quota': atMost / TABLE_QUOTA, shards };
  return rows;
}

/** Returns the keys with the highest load. All of them belong to the first program, which is the largest. */
async function hottestKeys(): Promise<Rows> {
  const rows: Record<string, Rows[string]> = {};
  for (const key of sharedKeys) {
    for (const what of ['read', 'write'] as const) {
      const loads = everySecond((second) => kinds.reduce((sum, kind) => sum + unitsOn(key, kind, second)[what], 0));
      const most = Math.max(...loads);
      if (most === 0) continue;
      rows[`${key.name}, ${what}`] = {
        'units a second, mean': loads.reduce((sum, load) => sum + load, 0) / SECONDS,
        busiest: most,
        'of the limit': most / KEY_LIMITS[what],
        'minutes over it': loads.filter((load) => load > KEY_LIMITS[what]).length / 60,
        'hot at events of one program a second': (KEY_LIMITS[what] / most) * busiest.first,
      };
    }
  }
  for (const [name, item] of Object.entries(countersOfFirst)) {
    const most = await writtenTo(item, busiest);
    rows[`${name}, write`] = {
      'units a second, mean': await writtenTo(item, typical),
      busiest: most,
      'of the limit': most / KEY_LIMITS.write,
      'hot at events of one program a second': await hotAt((first) => writtenTo(item, { first, others: 0 })),
    };
  }
  return rows;
}

/** Load per second that events of one kind put on a key of the first program. */
function unitsOn({ key, spreadOver = 1, isRemembered }: SharedKey, kind: Kind, second: number) {
  const rate = rateAt(kind, second);
  const { read, write } = keyLoad(recorded[kind], key);
  const containers = allOf(rate) * CLICK_SECONDS;
  const readers = isRemembered && kind === 'click' ? Math.min(rate.first, containers) : rate.first;
  return { read: (readers * read) / spreadOver, write: (rate.first * write) / spreadOver };
}

/** Write units per second of the items whose names match. */
async function writtenTo(item: RegExp, rate: Rate): Promise<number> {
  const { unitsByItem } = await counterLoad(rate, { shards, batchWindowSeconds, batchSize });
  return [...unitsByItem].reduce((sum, [name, units]) => sum + (item.test(name) ? units : 0), 0);
}

/** Finds how many events per second bring the load of a key to its limit. */
async function hotAt(load: (perSecond: number) => Promise<number>): Promise<number> {
  let [low, high] = [1, 50_000];
  while (high / low > 1.05) {
    const middle = Math.sqrt(low * high);
    if ((await load(middle)) < KEY_LIMITS.write) low = middle;
    else high = middle;
  }
  return low;
}

/** Compares waiting times before delivery: with a longer one, batches are larger and cost less per record. */
async function byDelivery(): Promise<Rows> {
  const rows: Record<string, Rows[string]> = {};
  for (const seconds of [1, batchWindowSeconds, 20]) {
    const delivery = { shards, batchWindowSeconds: seconds, batchSize: 4_000 };
    const load = await counterLoad(typical, delivery);
    rows[`waits ${seconds} s`] = {
      'records of a batch': load.recordsOfABatch,
      'write units of an event': load.unitsOfAnEvent,
      'read units of an event': load.readUnitsOfAnEvent,
      'USD a day': (eventsOfADay / 1e6) * usdOf(load),
    };
  }
  return rows;
}

await report('a day: the table', await theTable());
await report('a day: the hottest keys', await hottestKeys());
await report('a day: the counters', await byDelivery());
