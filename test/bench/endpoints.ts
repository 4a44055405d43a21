import { cpuUsage } from 'node:process';
import { startEngine } from '#infra/local/database/engine.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { leadOf, refundOf, saleOf } from '#test/live/brand.ts';
import type { Request } from '#test/live/caller.ts';
import { hold } from '#test/live/hold.ts';
import { inParallel } from '#test/live/in-parallel.ts';
import { clicked, soldTo } from '#test/support/payments/lives/journeys.ts';
import { dependentTrips, type SentCall, sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { openWorld } from '#test/support/programs/world.ts';
import { ask } from '#test/bench/support/in-process.ts';
import { engineAlone } from '#test/bench/support/engine-alone.ts';
import { interleaved, ratios, spreadOf } from '#test/bench/support/measure.ts';
import { prices, usdPerMillion } from '#test/bench/support/prices.ts';
import { recordOperations } from '#test/bench/support/record-operations.ts';
import { type Body, bareHandler, FIRST_ID } from '#test/bench/support/recorded.ts';
import { report, type Rows } from '#test/bench/support/report.ts';
import { type Operation, operations, statusOf } from '#test/bench/support/operations.ts';
import { clickOf } from '#test/bench/support/requests.ts';

// Measures what each tracking request costs: in table units, in money, and in CPU time. The CPU time is compared with
// that of a handler that only sends the same calls, and with that of the engine alone.

/**
 * Assumed duration of a function that has a gigabyte of memory. A round trip to the table takes a few milliseconds of
 * it.
 */
const ASSUMED_SECONDS = 0.02;

const ROUNDS = 15;
const REQUESTS_PER_ROUND = 200;
const CONNECTIONS = 8;

const engine = await startEngine();
process.env.DYNAMODB_ENDPOINT = engine.endpoint;
const world = await openWorld();
await world.deps().table.update(keys.sequence('event'), { add: { last: FIRST_ID } });
const brand = await world.brand();

/** The time of the first request. Requests are a second apart, so that none reaches a rate limit. */
const startedAt = Date.now();
let requests = 0;
const sent = (request: Request) => ask(request, new Date(startedAt + 1_000 * requests++));

await report('cost of a request', await costs());
await report('a request without HTTP and counters', await processorTimes());
await engine.stop();

async function costs(): Promise<Rows> {
  const clickId = await clicked(brand, { at: new Date(startedAt) });
  const identifiers = { click_id: clickId, customer_key: 'cost' };
  const sale = (transactionId: string) =>
    saleOf(brand, { transaction_id: transactionId, amount_cents: 4900, ...identifiers });
  const click = clickOf(brand);
  const steps: Readonly<Record<string, Request>> = {
    click,
    'later click of the same customer': { ...click, body: { ...click.body, existing_click_id: clickId } },
    'lead from a server, with key and e-mail': leadOf(brand, { ...identifiers, email: 'cost@example.com' }),
    'first sale of a customer': sale('cost-1'),
    'later sale': sale('cost-2'),
    'repeated sale (409)': sale('cost-2'),
    refund: refundOf(brand, { transaction_id: 'cost-1', refund_amount_cents: 100 }),
  };
  const rows: Record<string, Rows[string]> = {};
  for (const [name, request] of Object.entries(steps)) rows[name] = costOf(await sentCalls(() => sent(request)));
  return rows;
}

function costOf(calls: readonly SentCall[]): Rows[string] {
  const { read, write } = unitsOf(calls);
  const table = usdPerMillion({ read, write });
  const around = prices.gateway + prices.invocation + ASSUMED_SECONDS * prices.gigabyteSecond;
  return {
    'dependent round trips': dependentTrips(calls),
    calls: calls.length,
    'read units': read,
    'write units': write,
    'USD per million, table': table,
    'with gateway and function': table + around,
  };
}

async function processorTimes(): Promise<Rows> {
  const recorded = await recordOperations(brand);
  await soldTo(brand, 'buyer', { transaction_id: 'sold' }, { at: new Date(startedAt) });
  const visitors = await inParallel(3 * (ROUNDS + 1) * REQUESTS_PER_ROUND, CONNECTIONS, () =>
    clicked(brand, { at: new Date(startedAt) }),
  );
  let made = 0;
  const sale = (transactionId: string) =>
    saleOf(brand, { transaction_id: transactionId, amount_cents: 4900, customer_key: 'buyer' });
  const next: Readonly<Record<Operation, () => Request>> = {
    click: () => clickOf(brand),
    lead: () => leadOf(brand, { click_id: visitors.pop(), customer_key: `visitor-${made++}` }),
    sale: () => sale(`sold-${made++}`),
    'repeated sale': () => sale('sold'),
  };
  const rows: Record<string, Rows[string]> = {};
  for (const operation of operations) {
    const bare = bareHandler(world.client, recorded[operation]);
    const alone = engineAlone(engine.endpoint, recorded[operation]);
    const prepared = () => alone(Array.from({ length: REQUESTS_PER_ROUND }, () => next[operation]().body as Body));
    const round = (send: (request: Request) => Promise<unknown>) => () => roundOf(() => send(next[operation]()));
    const ours = async (request: Request) => {
      const { status, body } = await sent(request);
      hold(status === statusOf[operation], `${operation} answered ${status}: ${JSON.stringify(body)}`);
    };
    const measured = await interleaved(ROUNDS, {
      ours: round(ours),
      bare: round(({ body }) => bare(body as Body)),
      alone: async () => roundOf(await prepared()),
    });
    const each = (who: keyof typeof measured, what: keyof Round) => measured[who].map((found) => found[what]);
    rows[operation] = {
      ms: spreadOf(each('ours', 'processorMs')),
      'bare, ms': spreadOf(each('bare', 'processorMs')),
      'times bare': ratios(each('ours', 'processorMs'), each('bare', 'processorMs')),
      'per second': spreadOf(each('ours', 'perSecond')),
      'bare, per second': spreadOf(each('bare', 'perSecond')),
      'per second, times bare': ratios(each('ours', 'perSecond'), each('bare', 'perSecond')),
      'engine alone, per second': spreadOf(each('alone', 'perSecond')),
      'per second, times engine alone': ratios(each('ours', 'perSecond'), each('alone', 'perSecond')),
    };
  }
  return rows;
}

interface Round {
  /** CPU time of this process per request. The engine runs in another process. */
  readonly processorMs: number;
  readonly perSecond: number;
}

async function roundOf(send: () => Promise<unknown>): Promise<Round> {
  const [before, begun] = [cpuUsage(), performance.now()];
  await inParallel(REQUESTS_PER_ROUND, CONNECTIONS, send);
  const { user, system } = cpuUsage(before);
  return {
    processorMs: (user + system) / 1_000 / REQUESTS_PER_ROUND,
    perSecond: REQUESTS_PER_ROUND / ((performance.now() - begun) / 1_000),
  };
}
