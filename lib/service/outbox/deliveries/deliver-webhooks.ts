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
  /** Whether there is time for another attempt. */
  readonly hasTime: () => boolean;
  /** Resolves after a short time, so that a sender waiting for its attempts checks for new deliveries meanwhile. */
  readonly pause: () => Promise<unknown>;
}

/** Maximum number of concurrent requests to one endpoint. */
const MOST_AT_ONCE = 10;
/** Number of due deliveries read at a time. */
const MOST_READ = 60;
/** Upper limit for an attempt with the writes after it. An attempt starts only if it ends before the lease does. */
const ATTEMPT_MS = 20_000;
/** An attempt starts only if at least this much of the Lambda function's time is left. */
export const LAST_START_MS = ATTEMPT_MS + 2_000;
/** The lease is extended after this time. */
const PROLONG_MS = 10_000;

/**
 * Sends an endpoint's due deliveries until none is left or time is over. A lease ensures that only one sender works on
 * an endpoint; if it crashes, another one continues after the lease expires. Deliveries whose result was not stored are
 * sent again with the same id.
 */
export async function deliverWebhooks(deps: SenderDeps, target: WakeMessage): Promise<void> {
  const { table, clock } = deps;
  const holder = deps.random.requestId();
  const work = await findWork(table, target.endpointId);
  // Another sender holds the lease. It sees the new number of wake-ups and checks for deliveries again.
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
    // The deliveries remain due, so the schedule wakes the endpoint again.
    await release(deps, holder, target.endpointId).catch(() => undefined);
    throw error;
  }
}

/**
 * Sends due deliveries until none is left or time is over.
 * @returns when the endpoint must be woken again, after the lease was released; undefined if nothing is left to send
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
    // Deliveries that remain are picked up by the next run of the loop.
    const isWaiting = underWay.others();
    const wereUnderWay = underWay.size;
    const due = await firstDue(table, endpointId, MOST_READ);
    // Delivery items read before their due entry was stored may be outdated, and the entry would be mistaken for an old
    // one.
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
    // A paused endpoint needs no next time, because resuming it wakes it.
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

/** Reloads the work item and extends the lease if necessary. @returns undefined if another sender holds the lease */
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
  /** Number of attempts started for the waiting deliveries. */
  readonly begun: number;
  /** When the host accepts further requests; undefined if it accepts them now. */
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

/** Releases a lease even if there may be more to send. @returns when the endpoint must be woken again */
async function release({ table, clock }: SenderDeps, holder: string, endpointId: number): Promise<string | undefined> {
  for (;;) {
    const work = await findWork(table, endpointId);
    if (work?.holder !== holder) return undefined;
    const now = clock().toISOString();
    if (await releaseLease(table, work, holder, now)) return now;
  }
}

/** Queues a wake-up message for a time. If the time is too late for the queue, the schedule wakes the endpoint. */
async function queueWakeUpAt(deps: SenderDeps, target: WakeMessage, nextAt: string): Promise<void> {
  const delaySeconds = Math.max(0, Math.ceil((Date.parse(nextAt) - deps.clock().getTime()) / 1_000));
  if (delaySeconds <= LONGEST_DELAY_SECONDS) await queueWakeUp(deps, target, delaySeconds);
}
