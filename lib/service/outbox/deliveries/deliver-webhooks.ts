import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { type DueDelivery, firstDue, noteSlowed } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { findReplay } from '#lib/service/outbox/webhooks/webhook-replays-items.ts';
import { findWebhooks } from '#lib/service/outbox/webhooks/webhooks-items.ts';
import {
  findWork,
  giveLeaseBack,
  holdLease,
  isLeased,
  LEASE_MS,
  type WebhookWork,
} from '#lib/service/outbox/deliveries/webhook-work-items.ts';
import { LONGEST_DELAY_SECONDS, type WakeMessage } from '#lib/service/outbox/effects/wake-queue.ts';
import { attemptDelivery, type AttemptDeps, type AttemptTarget } from '#lib/service/outbox/sending/attempt-delivery.ts';
import { AttemptsUnderWay } from '#lib/service/outbox/sending/attempts-under-way.ts';
import { createHealthNotes } from '#lib/service/outbox/sending/note-endpoint-health.ts';
import { expandReplay } from '#lib/service/outbox/deliveries/expand-replay.ts';
import { giveUpDeliveries } from '#lib/service/outbox/sending/give-up-deliveries.ts';
import { createTakeTurns, type TakeTurns } from '#lib/service/outbox/sending/take-host-turns.ts';
import { wakeIn } from '#lib/service/outbox/deliveries/wake-endpoint.ts';

export interface SenderDeps extends AttemptDeps, Pick<Deps, 'deadline'> {
  /** Whether there is time for another attempt. */
  readonly hasTime: () => boolean;
  /** Ends after some time, so that a sender that waits for attempts notices what has come since. */
  readonly pause: () => Promise<unknown>;
}

/** Requests to one endpoint at a time. */
const MOST_AT_ONCE = 10;
/** Due deliveries that are read at a time. */
const MOST_READ = 60;
/** An attempt, with the writes after it, takes no longer: one begins only if it ends before the lease does. */
const ATTEMPT_MS = 20_000;
/** An attempt begins only if so much of the function's time is left. */
export const LAST_START_MS = ATTEMPT_MS + 2_000;
/** How much of the lease is used before it is prolonged. */
const PROLONG_MS = 10_000;

/**
 * Sends what is due to an endpoint until nothing is left or the time is over. One sender has an endpoint at a time, by a
 * lease; when it dies, another one goes on after the lease. What was sent and not noted is sent again, with the same id.
 */
export async function deliverWebhooks(deps: SenderDeps, target: WakeMessage): Promise<void> {
  const { table, clock } = deps;
  const holder = deps.random.requestId();
  const work = await findWork(table, target.endpointId);
  // Who is sending looks again, because there was a wake.
  if (!work || isLeased(work, clock())) return;
  const held = await holdLease(table, work, holder, clock());
  if (!held) return;
  const underWay = new AttemptsUnderWay();
  try {
    const nextAt = await sendAll(deps, target, { held, holder }, underWay);
    await underWay.ended();
    if (nextAt) await wakeAt(deps, target, nextAt);
  } catch (error) {
    await underWay.ended().catch(() => undefined);
    // It stays due, and the schedule wakes it.
    await release(deps, holder, target.endpointId).catch(() => undefined);
    throw error;
  }
}

/** @returns when to be woken again, after the lease was given back; undefined: there is nothing to be sent */
async function sendAll(
  deps: SenderDeps,
  { endpointId, programId }: WakeMessage,
  { held, holder }: { readonly held: WebhookWork; readonly holder: string },
  underWay: AttemptsUnderWay,
): Promise<string | undefined> {
  const { table, clock } = deps;
  const health = createHealthNotes(deps, programId, endpointId);
  const takeTurns = createTakeTurns(deps);
  for (let work: WebhookWork | undefined = held; work; work = await stillHeld(deps, endpointId, holder)) {
    underWay.throwFailure();
    if (!deps.hasTime()) {
      await underWay.ended();
      return release(deps, holder, endpointId);
    }
    // What they leave is seen by the next look.
    const isWaiting = underWay.others();
    const wereUnderWay = underWay.size;
    const due = await firstDue(table, endpointId, MOST_READ);
    // A delivery that was read before it was noted as due may be another one by now: its note would be taken for an old one.
    table.forget();
    const now = clock().toISOString();
    const waiting = due.filter((one) => one.dueAt <= now && isWaiting(one));
    const replay = waiting.length > 0 ? undefined : await findReplay(table, endpointId);
    const endpoint = due.length > 0 || replay ? await findEndpoint(table, { endpointId, programId }) : undefined;

    let begun = 0;
    let nextTurnAt: string | undefined;
    if (endpoint?.status === 'active') {
      health.know(endpoint);
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
    // Whoever makes a paused endpoint active wakes it.
    const nextAt = endpoint?.status === 'active' ? (nextTurnAt ?? due[0]?.dueAt) : undefined;
    if (await giveLeaseBack(table, work, holder, nextAt)) return nextAt;
  }
  // Another sender has taken over from one that was too slow.
  return undefined;
}

async function findEndpoint(table: Table, { endpointId, programId }: WakeMessage) {
  const { endpoints } = await findWebhooks(table, programId);
  return endpoints.find(({ id }) => id === endpointId);
}

/** Reads the work again and prolongs the lease, if need be. @returns undefined when it is another's */
async function stillHeld(
  { table, clock }: SenderDeps,
  endpointId: number,
  holder: string,
): Promise<WebhookWork | undefined> {
  const work = await findWork(table, endpointId);
  if (work?.holder !== holder) return undefined;
  const now = clock();
  return work.leaseUntilMs - now.getTime() > LEASE_MS - PROLONG_MS ? work : holdLease(table, work, holder, now);
}

interface Begun {
  /** How many of those that were waiting. */
  readonly begun: number;
  /** When the host takes further ones; absent: at once. */
  readonly nextTurnAt?: string;
}

/** Begins the attempts for which there is a place here and a turn at their host. The others wait. */
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
  if (nextAt) await Promise.all(waiting.slice(granted).map((one) => noteSlowed(deps.table, id, one)));
  return { begun: granted, nextTurnAt: nextAt };
}

/** Gives a lease back though there may be more to be sent. */
async function release({ table, clock }: SenderDeps, holder: string, endpointId: number): Promise<string | undefined> {
  for (;;) {
    const work = await findWork(table, endpointId);
    if (work?.holder !== holder) return undefined;
    const now = clock().toISOString();
    if (await giveLeaseBack(table, work, holder, now)) return now;
  }
}

/** What is due later is left to the schedule. */
async function wakeAt(deps: SenderDeps, target: WakeMessage, nextAt: string): Promise<void> {
  const delaySeconds = Math.max(0, Math.ceil((Date.parse(nextAt) - deps.clock().getTime()) / 1_000));
  if (delaySeconds <= LONGEST_DELAY_SECONDS) await wakeIn(deps, target, delaySeconds);
}
