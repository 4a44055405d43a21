import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { handler as status } from '#functions/cli/status.ts';
import { handler as readiness } from '#functions/programs/readiness.ts';
import { indexKeys, keys } from '#lib/store/keys.ts';
import { startEngine } from '#lib/local/engine.ts';
import { dashboard } from '#test/support/dashboard.ts';
import { soldTo } from '#test/support/journeys.ts';
import { ownerOfBrand } from '#test/support/people.ts';
import { NOW, send } from '#test/support/request.ts';
import { dependentTrips, sentCalls } from '#test/support/sent-calls.ts';
import { type Brand, openWorld } from '#test/support/world.ts';

/**
 * What reports cost in a program with few and with many events. The events are put into the table directly, as the
 * clicks of customers: what reading them costs is the question, not what recording them does.
 */
const SIZES = [100, 100_000];
const WRITES_AT_ONCE = 25;
const REPEATS = 15;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const engine = await startEngine();
process.env.DYNAMODB_ENDPOINT = engine.endpoint;
const world = await openWorld();

async function brandWith(events: number) {
  const brand = await world.brand();
  await soldTo(brand, `sold-${events}`, { transaction_id: `sold-${events}` });
  for (let at = 0; at < events; at += WRITES_AT_ONCE) {
    const puts = Array.from({ length: WRITES_AT_ONCE }, (_, n) => ({
      PutRequest: { Item: clickOf(brand, events, at + n) },
    }));
    await world.client.send(new BatchWriteCommand({ RequestItems: { [world.tableName]: puts } }));
  }
  const { token } = await ownerOfBrand(world, brand);
  const path = `/programs/${brand.program.id}`;
  const asking = (what: string) => () => dashboard(token).get(`${path}${what}`);
  return {
    readiness: () => send(readiness, { method: 'GET', key: brand.key }),
    status: () => send(status, { method: 'GET', key: brand.key }),
    'events, 25 of them': asking('/events'),
    'performance of 30 days': asking('/performance'),
    partners: asking('/partners'),
    links: asking('/links'),
    commissions: asking('/commissions'),
    'one sale explained': asking(`/sales/sold-${events}`),
  };
}

function clickOf({ program, partner, shortLink }: Brand, events: number, n: number) {
  const clickId = `clk_bench_${events}_${n}`;
  const firstClickAt = new Date(NOW.getTime() - n * 1_000).toISOString();
  return {
    ...keys.customer(clickId),
    ...indexKeys.event(program.id, 'click', 'EVENTS', firstClickAt, n),
    clickId,
    id: n,
    programId: program.id,
    partnerId: partner.id,
    shortLink,
    status: 'click',
    firstClickAt,
    visit: { affiliateUrl: `https://${program.domain}/?aff=${shortLink}` },
  };
}

const [few, many] = await Promise.all(SIZES.map(brandWith));
const rows: Record<string, Record<string, number>> = {};
for (const name of Object.keys(few!) as (keyof NonNullable<typeof few>)[]) {
  rows[name] = {};
  for (const [size, asks] of [
    [SIZES[0]!, few!],
    [SIZES[1]!, many!],
  ] as const) {
    const calls = await sentCalls(asks[name]);
    rows[name][`read units, ${size} events`] = calls.reduce((sum, { readUnits }) => sum + readUnits, 0);
    rows[name][`trips, ${size} events`] = dependentTrips(calls);
  }
  const ratios: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const [quick, slow] = [await milliseconds(few![name]), await milliseconds(many![name])];
    ratios.push(slow / quick);
  }
  rows[name]['time ratio, median'] = Number(median(ratios).toFixed(2));
}
console.table(rows);
await engine.stop();

async function milliseconds(ask: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await ask();
  return performance.now() - startedAt;
}
