import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { recordWake } from '#lib/service/outbox/deliveries/webhook-work-items.ts';
import { sendWake, type WakeMessage } from '#lib/service/outbox/effects/wake-queue.ts';

export type WakeDeps = Pick<Deps, 'table' | 'now' | 'log' | 'once' | 'deadline' | 'ending'>;

/**
 * Requests sending for an endpoint, after deliveries were stored. The message may be lost: an active sender sees the
 * new wake-up count, and the schedule finds all other deliveries.
 */
export async function wakeEndpoint(deps: WakeDeps, target: WakeMessage): Promise<void> {
  const { isBeingSent } = await recordWake(deps.table, target, deps.now);
  if (!isBeingSent) await queueWakeUp(deps, target, 0);
}

/**
 * Requests sending for an endpoint like `wakeEndpoint`, but with the queue's default delay. While a message is delayed,
 * no other message is sent, so that all deliveries of that time are sent in one run.
 */
export async function wakeEndpointLater(deps: WakeDeps, target: WakeMessage): Promise<void> {
  const { isBeingSent, isExpected } = await recordWake(deps.table, target, deps.now);
  if (!isBeingSent && !isExpected) await queueWakeUp(deps, target, undefined);
}

/** Queues a wake-up message. A failure is only logged, because the schedule wakes the endpoint within a minute. */
export async function queueWakeUp(
  deps: Omit<WakeDeps, 'table' | 'now'>,
  target: WakeMessage,
  delaySeconds: number | undefined,
): Promise<void> {
  try {
    await sendWake(deps, target, delaySeconds);
  } catch (error) {
    deps.log.error('endpoint_not_woken', error, { program_id: target.programId, endpoint_id: target.endpointId });
  }
}
