import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { startEngine } from '#lib/local/engine.ts';
import { NOW, send } from '#test/support/request.ts';
import { dependentTrips, type SentCall, sentCalls } from '#test/support/sent-calls.ts';
import { openWorld } from '#test/support/world.ts';
import { bareSale } from '#test/bench/bare-sale.ts';

/** US dollars per million request units, on demand, us-east-1, since November 2024. */
const PRICE_PER_MILLION = { read: 0.125, write: 0.625 };

const ROUNDS = 20;
const SALES_PER_ROUND = 150;
const CONNECTIONS = 8;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const engine = await startEngine();
process.env.DYNAMODB_ENDPOINT = engine.endpoint;
const world = await openWorld();
const { affiliateUrl, key } = await world.brand();

/** Requests are a second apart, so that no window fills. */
let requests = 0;
const at = () => new Date(NOW.getTime() + 1_000 * requests++);

console.table(await costPerRequest());
console.table([await saleThroughput()]);
await engine.stop();

async function costPerRequest() {
  const body = { affiliate_url: affiliateUrl, page_url: affiliateUrl, user_agent: 'Mozilla/5.0 (X11; Linux x86_64)' };
  const clickId = (await send(click, { body, at: at() })).body.click_id as string;
  const identifiers = { click_id: clickId, customer_key: 'cost' };
  const soldFor = (transactionId: string) => ({ transaction_id: transactionId, amount_cents: 4900, ...identifiers });
  const steps = {
    click: () => send(click, { body, at: at() }),
    're-click': () => send(click, { body: { ...body, existing_click_id: clickId }, at: at() }),
    'lead (server)': () => send(lead, { key, body: { ...identifiers, email: 'cost@example.com' }, at: at() }),
    'first sale': () => send(sale, { key, body: soldFor('cost-1'), at: at() }),
    'later sale': () => send(sale, { key, body: soldFor('cost-2'), at: at() }),
    'duplicate sale': () => send(sale, { key, body: soldFor('cost-2'), at: at() }),
    refund: () => send(refund, { key, body: { transaction_id: 'cost-1', refund_amount_cents: 100 }, at: at() }),
  };
  const rows: Record<string, Record<string, number>> = {};
  for (const [name, step] of Object.entries(steps)) rows[name] = costOf(await sentCalls(step));
  return rows;
}

function costOf(calls: readonly SentCall[]) {
  const sum = (units: 'readUnits' | 'writeUnits') => calls.reduce((total, call) => total + call[units], 0);
  const [read, write] = [sum('readUnits'), sum('writeUnits')];
  return {
    calls: calls.length,
    'dependent trips': dependentTrips(calls),
    'read units': read,
    'write units': write,
    'USD per million': Number((read * PRICE_PER_MILLION.read + write * PRICE_PER_MILLION.write).toFixed(2)),
  };
}

function sell(transactionId: string) {
  const body = { transaction_id: transactionId, amount_cents: 4900, customer_key: 'cost' };
  return send(sale, { key, body, at: at() });
}

/** Real sales against bare ones, in turns, so that whatever else the machine does hits both alike. */
async function saleThroughput() {
  const bare = bareSale(world.client, await sentCalls(() => sell('template')), 'template');
  const rates: { real: number[]; bare: number[] } = { real: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.real.push(await perSecond((n) => sell(`real-${round}-${n}`)));
    rates.bare.push(await perSecond((n) => bare(`bare-${round}-${n}`)));
  }
  const ratios = rates.real.map((rate, round) => rate / rates.bare[round]!);
  return {
    'sales per second': Math.round(median(rates.real)),
    'bare calls, sales per second': Math.round(median(rates.bare)),
    'ratio (median)': Number(median(ratios).toFixed(2)),
    'ratio (lowest, highest)': `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
  };
}

async function perSecond(sellOne: (n: number) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let next = 0;
  const connection = async () => {
    while (next < SALES_PER_ROUND) await sellOne(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return SALES_PER_ROUND / ((performance.now() - startedAt) / 1_000);
}
