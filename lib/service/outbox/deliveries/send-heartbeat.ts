import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { sendWake } from '#lib/service/outbox/effects/wake-queue.ts';

/** How often a heartbeat is sent. The alarms expect one in each period of this length. */
const EVERY_MINUTES = 5;
/**
 * The minute within each period in which the heartbeat is sent. It is in the middle, so that a heartbeat that is early
 * or late still falls into its period.
 */
const AT_MINUTE = 2;
/** The message names endpoint 0. Ids begin at 1, so the sender finds nothing to send. */
const NO_ENDPOINT = { endpointId: 0, programId: 0 };

/**
 * Triggers the consumers of the stream and the sender of webhooks every five minutes, so that an alarm can notice when
 * one of them no longer runs, even without traffic. All heartbeats write the same item, which the consumers skip.
 */
export async function sendHeartbeat(deps: Pick<Deps, 'table' | 'now' | 'once' | 'deadline'>): Promise<void> {
  if (deps.now.getUTCMinutes() % EVERY_MINUTES !== AT_MINUTE) return;
  await Promise.all([
    // The stream has no record of a write that changes nothing, so the time is part of the item.
    deps.table.put(keys.heartbeat, { at: deps.now.toISOString() }),
    sendWake(deps, NO_ENDPOINT),
  ]);
}
