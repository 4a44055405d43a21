import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { noteWake } from '#lib/service/outbox/deliveries/webhook-work-items.ts';
import { sendWake, type WakeMessage } from '#lib/service/outbox/effects/wake-queue.ts';

export type WakeDeps = Pick<Deps, 'table' | 'now' | 'log' | 'once' | 'deadline'>;

/**
 * Says that an endpoint has something to be sent, after that was written. No wake is lost: who is sending looks again, and
 * the schedule finds what the queue has not taken.
 */
export async function wakeEndpoint(deps: WakeDeps, target: WakeMessage): Promise<void> {
  const { isBeingSent } = await noteWake(deps.table, target, deps.now);
  if (!isBeingSent) await wakeIn(deps, target, 0);
}

/**
 * The same for what nobody waits for: the queue holds the message back, and meanwhile no other is sent. So what comes
 * within that time is sent in one run.
 */
export async function wakeEndpointLater(deps: WakeDeps, target: WakeMessage): Promise<void> {
  const { isBeingSent, isExpected } = await noteWake(deps.table, target, deps.now);
  if (!isBeingSent && !isExpected) await wakeIn(deps, target, undefined);
}

/** Puts a message for an endpoint into the queue, whose failure costs a minute only. */
export async function wakeIn(
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
