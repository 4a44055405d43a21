import type { DeliveredEvent } from '#lib/service/conversions/processors/delivered-event.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { recordLastBadSignature, recordLastDelivery } from '#lib/service/conversions/processors/deliveries-items.ts';

/** The outcome of a program's last event, or `badSignature` if its signature was invalid. */
export type DeliveryResult = DeliveredEvent | 'badSignature';

const BAD_SIGNATURE_EVERY_MS = 60_000;
const MOST_PROGRAMS = 1_000;

/** When this Lambda instance last stored an invalid signature of each program. */
const lastBadSignatures = (): Map<number, number> => new Map();

/**
 * Stores a program's last processor event for its owner. Invalid signatures, which anyone can send, are stored at most
 * once per minute and Lambda instance. If the write fails, the event is processed nevertheless.
 */
export async function recordDelivery(deps: Deps, programId: number, result: DeliveryResult): Promise<void> {
  const { table, log, now } = deps;
  if (result === 'badSignature' && wasStoredWithinMinute(deps, programId)) return;
  try {
    await (result === 'badSignature'
      ? recordLastBadSignature(table, programId, now)
      : recordLastDelivery(table, programId, result, now));
  } catch (error) {
    log.error('delivery_unnoted', error, { program_id: programId });
  }
}

function wasStoredWithinMinute({ once, now }: Deps, programId: number): boolean {
  const stored = once(lastBadSignatures);
  const last = stored.get(programId);
  if (last !== undefined && Math.abs(now.getTime() - last) < BAD_SIGNATURE_EVERY_MS) return true;
  if (stored.size >= MOST_PROGRAMS) stored.clear();
  stored.set(programId, now.getTime());
  return false;
}
