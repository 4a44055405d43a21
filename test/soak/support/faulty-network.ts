import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '#infra/local/demo/chance.ts';
import {
  type EngineCall,
  engineError,
  type EngineProxy,
  type EngineReply,
  openEngineProxy,
} from '#test/support/table/engine-proxy.ts';

/** Faults of a call to the engine. */
type Fault =
  | 'delayed'
  | 'dropped'
  | 'failed'
  | 'throttled'
  | 'in conflict'
  | 'applied, reply lost'
  | 'applied, reply late';

/** A proxy to the engine that can inject faults. */
export interface FaultyNetwork extends EngineProxy {
  /** Whether faults occur. */
  misbehaves: boolean;
  readonly counts: ReadonlyMap<Fault, number>;
}

/** The share of calls without another fault. */
const SHARE = 0.15;
/**
 * From time to time every call fails for a while, longer than a request's own retries, so that clients see it too. It
 * is shorter than the counters' retries (the local run drops a record after 10 deliveries, 200 ms apart).
 */
const OUTAGE_SHARE = 0.005;
const OUTAGE_MS = [300, 1_500] as const;
const DELAY_MS = [10, 150] as const;
/** Delays that are longer than the service waits for the table. */
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
/** Share of delayed calls. It is small, because each delays its request for seconds. */
const LATE_SHARE = 0.004;

/** Opens the proxy between the service and the engine. */
export async function openFaultyNetwork(engineUrl: string, chance: Chance): Promise<FaultyNetwork> {
  const counts = new Map<Fault, number>();
  let outage: { readonly fault: Fault; readonly endsAt: number } | undefined;

  function nextFault(): Fault | undefined {
    if (!way.misbehaves) return undefined;
    if (outage && performance.now() < outage.endsAt) return outage.fault;
    outage = chance.hits(OUTAGE_SHARE)
      ? { fault: chance.oneOf(outages), endsAt: performance.now() + chance.between(...OUTAGE_MS) }
      : undefined;
    if (outage) return outage.fault;
    if (chance.hits(LATE_SHARE)) return 'applied, reply late';
    return chance.hits(SHARE) ? chance.oneOf(faults) : undefined;
  }

  const proxy = await openEngineProxy(engineUrl, async (call, forward) => {
    const fault = nextFault();
    if (fault) counts.set(fault, (counts.get(fault) ?? 0) + 1);
    if (fault === 'delayed') await pause(chance.between(...DELAY_MS));
    if (fault === 'dropped') return undefined;
    if (fault === 'failed') return engineError(500, 'InternalServerError');
    // The service answers 429 if its rate-limit count is throttled, and its clients would wait for a minute.
    const isThrottled = fault === 'throttled' && !call.body.includes('"WINDOW#');
    if (isThrottled) return engineError(400, chance.oneOf(throttlings));
    if (fault === 'in conflict') return conflict(call, chance) ?? forward(call);
    const applied = await forward(call);
    if (fault === 'applied, reply lost') return undefined;
    if (fault === 'applied, reply late') await pause(chance.between(...LATE_MS));
    return applied;
  });
  const way: FaultyNetwork = { ...proxy, misbehaves: false, counts };
  return way;
}

const throttlings = ['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'];

/** Another transaction locks some of the items; undefined for a call that cannot conflict. */
function conflict({ operation, body }: EngineCall, chance: Chance): EngineReply | undefined {
  if (['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation))
    return engineError(400, 'TransactionConflictException');
  if (operation !== 'TransactWriteItems') return undefined;
  const { TransactItems } = JSON.parse(body.toString()) as { TransactItems: unknown[] };
  const held = chance.between(0, TransactItems.length - 1);
  const reasons = TransactItems.map((_, index) => ({
    Code: index === held || chance.hits(0.2) ? 'TransactionConflict' : 'None',
  }));
  return engineError(400, 'TransactionCanceledException', { CancellationReasons: reasons });
}
