import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '#test/soak/support/chance.ts';

/** What may happen to a call of the engine. */
type Fault =
  | 'delayed'
  | 'dropped'
  | 'failed'
  | 'throttled'
  | 'in conflict'
  | 'applied, reply lost'
  | 'applied, reply late';

/** A way to the engine that can be made to misbehave. */
export interface FaultyWay {
  readonly endpoint: string;
  /** Whether faults happen. */
  misbehaves: boolean;
  readonly counts: ReadonlyMap<Fault, number>;
  readonly close: () => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer | string;
}

/** Of the calls that nothing else befalls. */
const SHARE = 0.15;
/**
 * Now and then every call is befallen for a while, longer than a request's own attempts take: then clients see it too.
 * Not for as long as the counters would wait (the local run gives up a record after 10 deliveries, 200 ms apart).
 */
const OUTAGE_SHARE = 0.005;
const OUTAGE_MS = [300, 1_500] as const;
const DELAY_MS = [10, 150] as const;
/** Longer than the service waits for the table. */
const LATE_MS = [5_100, 5_600] as const;

const faults: readonly Fault[] = [
  'delayed',
  'delayed',
  'dropped',
  'failed',
  'throttled',
  'in conflict',
  'in conflict',
  'applied, reply lost',
];
const outages: readonly Fault[] = ['dropped', 'failed', 'throttled', 'in conflict', 'applied, reply lost'];
/** It holds up its request for seconds, so it is rare. */
const LATE_SHARE = 0.004;

/** Stands between the service and the engine. */
export async function openFaultyWay(engineUrl: string, chance: Chance): Promise<FaultyWay> {
  const counts = new Map<Fault, number>();
  const agent = new Agent({ keepAlive: true });
  let outage: { readonly fault: Fault; readonly endsAt: number } | undefined;

  function nextFault(): Fault | undefined {
    if (!proxy.misbehaves) return undefined;
    if (outage && performance.now() < outage.endsAt) return outage.fault;
    outage = chance.hits(OUTAGE_SHARE)
      ? { fault: chance.oneOf(outages), endsAt: performance.now() + chance.between(...OUTAGE_MS) }
      : undefined;
    if (outage) return outage.fault;
    if (chance.hits(LATE_SHARE)) return 'applied, reply late';
    return chance.hits(SHARE) ? chance.oneOf(faults) : undefined;
  }

  async function answer(request: IncomingMessage, body: Buffer): Promise<Answer | undefined> {
    const fault = nextFault();
    if (fault) counts.set(fault, (counts.get(fault) ?? 0) + 1);
    if (fault === 'delayed') await pause(chance.between(...DELAY_MS));
    if (fault === 'dropped') return undefined;
    if (fault === 'failed') return refusal(500, 'InternalServerError');
    // The service answers 429 where its count of requests is throttled, and its clients would wait for a minute.
    const isThrottled = fault === 'throttled' && !body.includes('"WINDOW#');
    if (isThrottled) return refusal(400, chance.oneOf(throttlings));
    if (fault === 'in conflict') return conflict(request, body, chance) ?? (await forward(request, body));
    const applied = await forward(request, body);
    if (fault === 'applied, reply lost') return undefined;
    if (fault === 'applied, reply late') await pause(chance.between(...LATE_MS));
    return applied;
  }

  function forward({ method, url = '/', headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      httpRequest(new URL(url, engineUrl), { agent, method, headers }, (response) => {
        const { statusCode: status = 500, headers: received } = response;
        buffer(response).then((content) => resolve({ status, headers: received, body: content }), reject);
      })
        .on('error', reject)
        .end(body);
    });
  }

  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answered = await answer(request, await buffer(request));
    if (answered) response.writeHead(answered.status, answered.headers).end(answered.body);
    else response.destroy();
  };
  const server = createServer((request, response) => {
    // The service has given up waiting, or the engine is gone.
    reply(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const proxy: FaultyWay = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    misbehaves: false,
    counts,
    async close() {
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return proxy;
}

const throttlings = ['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'];

const refusal = (status: number, name: string, more: object = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'Made by the soak', ...more }),
});

/** Another transaction holds some of the items; undefined for a call that cannot be told so. */
function conflict({ headers }: IncomingMessage, body: Buffer, chance: Chance): Answer | undefined {
  const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
  if (['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation)) return refusal(400, 'TransactionConflictException');
  if (operation !== 'TransactWriteItems') return undefined;
  const { TransactItems } = JSON.parse(body.toString()) as { TransactItems: unknown[] };
  const held = chance.between(0, TransactItems.length - 1);
  const reasons = TransactItems.map((_, index) => ({
    Code: index === held || chance.hits(0.2) ? 'TransactionConflict' : 'None',
  }));
  return refusal(400, 'TransactionCanceledException', { CancellationReasons: reasons });
}
