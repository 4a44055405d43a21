import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { type DueDelivery, firstDue, markSlowed } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { findReplay } from '#lib/service/outbox/webhooks/webhook-replays-items.ts';
import { findWebhooks } from '#lib/service/outbox/webhooks/webhooks-items.ts';
import {
  findWork,
  releaseLease,
  takeLease,
  isLeased,
  LEASE_MS,
  type WebhookWork,
} from '#lib/service/outbox/deliveries/webhook-work-items.ts';
import { LONGEST_DELAY_SECONDS, type WakeMessage } from '#lib/service/outbox/effects/wake-queue.ts';
import { attemptDelivery, type AttemptDeps, type AttemptTarget } from '#lib/service/outbox/sending/attempt-delivery.ts';
import { AttemptsUnderWay } from '#lib/service/outbox/sending/attempts-under-way.ts';
import { createHealthRecorder } from '#lib/service/outbox/sending/record-endpoint-health.ts';
import { expandReplay } from '#lib/service/outbox/deliveries/expand-replay.ts';
import { giveUpDeliveries } from '#lib/service/outbox/sending/give-up-deliveries.ts';
import { createTakeTurns, type TakeTurns } from '#lib/service/outbox/sending/take-host-turns.ts';
import { queueWakeUp } from '#lib/service/outbox/deliveries/wake-endpoint.ts';

export interface SenderDeps extends AttemptDeps, Pick<Deps, 'deadline'> {
  /** Whether there is enough time left to start another attempt. */
  readonly hasTime: () => boolean;
  /** Resolves after a short time. A sender that waits for its attempts then checks whether new deliveries are due. */
  readonly pause: () => Promise<unknown>;
}

/** Maximum number of concurrent requests to one endpoint. */
const MOST_AT_ONCE = 10;
/** Number of due deliveries read at a time. */
const MOST_READ = 60;
/**
 * The longest time that an attempt may take, with the writes after it. An attempt starts only if at least this much
 * time is left until the sender's lease ends.
 */
const ATTEMPT_MS = 20_000;
/** An attempt starts only if at least this much of the Lambda function's time is left. */
export const LAST_START_MS = ATTEMPT_MS + 2_000;
/** After this time the sender extends its lease. */
const PROLONG_MS = 10_000;

/**
 * Sends an endpoint's due deliveries until none is left or the time is over. A sender takes a lease on the endpoint, so
 * that only one sender works on it; if that sender crashes, another one continues after the lease has expired. A
 * delivery whose result was not stored is sent again with the same id.
 */
export async function deliverWebhooks(deps: SenderDeps, target: WakeMessage): Promise<void> {
  const { table, clock } = deps;
  const holder = deps.random.requestId();
  const work = await findWork(table, target.endpointId);
  // Another sender holds the lease. It will notice that this sender has increased the number of wake-ups, and will
  // check for deliveries again.
  if (!work || isLeased(work, clock())) return;
  const held = await takeLease(table, work, holder, clock());
  if (!held) return;
  const underWay = new AttemptsUnderWay();
  try {
    const nextAt = await sendAll(deps, target, { held, holder }, underWay);
    await underWay.ended();
    if (nextAt) await queueWakeUpAt(deps, target, nextAt);
  } catch (error) {
    await underWay.ended().catch(() => undefined);
    // The deliveries are still due, so the schedule starts the sender for this endpoint again.
    await release(deps, holder, target.endpointId).catch(() => undefined);
    throw error;
  }
}

/**
 * Sends due deliveries until none is left or the time is over.
 * @returns when sending must continue, after the lease was released; undefined if nothing is left to send
 */
async function sendAll(
  deps: SenderDeps,
  { endpointId, programId }: WakeMessage,
  { held, holder }: { readonly held: WebhookWork; readonly holder: string },
  underWay: AttemptsUnderWay,
): Promise<string | undefined> {
  const { table, clock } = deps;
  const health = createHealthRecorder(deps, programId, endpointId);
  const takeTurns = createTakeTurns(deps);
  for (let work: WebhookWork | undefined = held; work; work = await renewedLease(deps, endpointId, holder)) {
    underWay.throwFailure();
    if (!deps.hasTime()) {
      await underWay.ended();
      return release(deps, holder, endpointId);
    }
    // The loop's next run handles the deliveries that are still due.
    const isWaiting = underWay.others();
    const wereUnderWay = underWay.size;
    const due = await firstDue(table, endpointId, MOST_READ);
    // A delivery may have been read before its due entry was stored. The cache would then contain the outdated
    // delivery, and the entry would be mistaken for an obsolete one.
    table.forget();
    const now = clock().toISOString();
    const waiting = due.filter((one) => one.dueAt <= now && isWaiting(one));
    const replay = waiting.length > 0 ? undefined : await findReplay(table, endpointId);
    const endpoint = due.length > 0 || replay ? await findEndpoint(table, { endpointId, programId }) : undefined;

    let begun = 0;
    let nextTurnAt: string | undefined;
    if (endpoint?.status === 'active') {
      health.setEndpoint(endpoint);
      if (deps.hasTime() && clock().getTime() <= work.leaseUntilMs - ATTEMPT_MS) {
        ({ begun, nextTurnAt } = await beginAttempts(
          deps,
          { programId, endpoint, health },
          waiting,
          underWay,
          takeTurns,
        ));
      }
      if (replay) await expandReplay(deps, programId, endpoint, replay);
      const isMoreWaiting = begun < waiting.length || (begun > 0 && due.length === MOST_READ);
      if (replay || (isMoreWaiting && nextTurnAt === undefined)) {
        if (underWay.size >= MOST_AT_ONCE) await underWay.oneEnded();
        continue;
      }
    }
    if (begun > 0 || wereUnderWay > 0) {
      if (underWay.size > 0) await underWay.ended(deps.pause());
      continue;
    }
    if (endpoint?.status === 'disabled' && (await giveUpDeliveries(deps, endpointId, { due, replay }))) continue;
    // A paused endpoint needs no next time, because sending starts again when it is resumed.
    const nextAt = endpoint?.status === 'active' ? (nextTurnAt ?? due[0]?.dueAt) : undefined;
    if (await releaseLease(table, work, holder, nextAt)) return nextAt;
  }
  // This sender was too slow, and another one has taken over the lease.
  return undefined;
}

async function findEndpoint(table: Table, { endpointId, programId }: WakeMessage) {
  const { endpoints } = await findWebhooks(table, programId);
  return endpoints.find(({ id }) => id === endpointId);
}

/**
 * Reloads the item with the lease and extends the lease if necessary.
 * @returns undefined if another sender holds the lease
 */
async function renewedLease(
  { table, clock }: SenderDeps,
  endpointId: number,
  holder: string,
): Promise<WebhookWork | undefined> {
  const work = await findWork(table, endpointId);
  if (work?.holder !== holder) return undefined;
  const now = clock();
  return work.leaseUntilMs - now.getTime() > LEASE_MS - PROLONG_MS ? work : takeLease(table, work, holder, now);
}

interface Begun {
  /** How many attempts were started. */
  readonly begun: number;
  /** When further requests may be sent to the host; undefined if they may be sent now. */
  readonly nextTurnAt?: string;
}

/** Starts as many attempts as this sender's concurrency and the host's rate limit allow. The other deliveries wait. */
async function beginAttempts(
  deps: SenderDeps,
  target: Omit<AttemptTarget, 'at'>,
  waiting: readonly DueDelivery[],
  underWay: AttemptsUnderWay,
  takeTurns: TakeTurns,
): Promise<Begun> {
  const places = Math.min(waiting.length, MOST_AT_ONCE - underWay.size);
  if (places === 0) return { begun: 0 };
  const { id, url } = target.endpoint;
  const { at, granted, nextAt } = await takeTurns(url, places);
  for (const one of waiting.slice(0, granted)) underWay.add(one, attemptDelivery(deps, { ...target, at }, one));
  if (nextAt) await Promise.all(waiting.slice(granted).map((one) => markSlowed(deps.table, id, one)));
  return { begun: granted, nextTurnAt: nextAt };
}

/** Releases the lease, even if there may be more to send. @returns when sending must continue */
async function release({ table, clock }: SenderDeps, holder: string, endpointId: number): Promise<string | undefined> {
  for (;;) {
    const work = await findWork(table, endpointId);
    if (work?.holder !== holder) return undefined;
    const now = clock().toISOString();
    if (await releaseLease(table, work, holder, now)) return now;
  }
}

/**
 * Queues a message that starts the sender at a time. If the time is later than the queue's longest delay, the schedule
 * starts the sender.
 */
async function queueWakeUpAt(deps: SenderDeps, target: WakeMessage, nextAt: string): Promise<void> {
  const delaySeconds = Math.max(0, Math.ceil((Date.parse(nextAt) - deps.clock().getTime()) / 1_000));
  if (delaySeconds <= LONGEST_DELAY_SECONDS) await queueWakeUp(deps, target, delaySeconds);
}
