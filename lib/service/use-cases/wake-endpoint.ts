import type { Deps } from '#lib/service/deps.ts';
import { noteWake } from '#lib/service/store/webhook-work.ts';
import { sendWake, type WakeMessage } from '#lib/service/wake-queue.ts';

export type WakeDeps = Pick<Deps, 'table' | 'now' | 'log' | 'once' | 'deadline'>;

/**
 * Says that an endpoint has something to be sent, after that was written. No wake is lost: who is sending looks again, and
 * the schedule finds what the queue has not taken.
 */
export async function wakeEndpoint(deps: WakeDeps, { endpointId, programId }: WakeMessage): Promise<void> {
  if (await noteWake(deps.table, { endpointId, programId }, deps.now)) return;
  await wakeSoon(deps, { endpointId, programId });
}

/** Puts a message for an endpoint into the queue, whose failure costs a minute only. */
export async function wakeSoon(
  deps: Omit<WakeDeps, 'table' | 'now'>,
  target: WakeMessage,
  delaySeconds?: number,
): Promise<void> {
  try {
    await sendWake(deps, target, delaySeconds);
  } catch (error) {
    deps.log.error('endpoint_not_woken', error, { program_id: target.programId, endpoint_id: target.endpointId });
  }
}
