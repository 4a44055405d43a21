import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { recordWake } from '#lib/service/outbox/deliveries/webhook-work-items.ts';
import { sendWake, type WakeMessage } from '#lib/service/outbox/effects/wake-queue.ts';

export type WakeDeps = Pick<Deps, 'table' | 'now' | 'log' | 'once' | 'deadline' | 'ending'>;

/**
 * Starts the sender for an endpoint, after deliveries were stored. It counts this wake-up and queues a message. If the
 * message is lost, a sender that is already working sees the new count; otherwise the schedule finds the deliveries.
 */
export async function wakeEndpoint(deps: WakeDeps, target: WakeMessage): Promise<void> {
  const { isBeingSent } = await recordWake(deps.table, target, deps.now);
  if (!isBeingSent) await queueWakeUp(deps, target, 0);
}

/**
 * Starts the sender for an endpoint like `wakeEndpoint`, but with the queue's default delay. While a message is
 * delayed, no other message is sent, so that all deliveries of that time are sent in one run.
 */
export async function wakeEndpointLater(deps: WakeDeps, target: WakeMessage): Promise<void> {
  const { isBeingSent, isExpected } = await recordWake(deps.table, target, deps.now);
  if (!isBeingSent && !isExpected) await queueWakeUp(deps, target, undefined);
}

/** Queues a message that starts the sender. A failure is only logged: the schedule starts it within a minute. */
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
