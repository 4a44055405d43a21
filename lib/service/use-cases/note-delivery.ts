import type { Deps } from '#lib/service/deps.ts';
import { noteLastBadSignature, noteLastDelivery } from '#lib/service/store/deliveries.ts';

/** The outcome of a program's last event, or that its signature was wrong. */
export type DeliveryNote = { readonly type: string; readonly outcome: string } | 'badSignature';

const NOTED_EVERY_MS = 60_000;
const MOST_PROGRAMS = 1_000;

/** When this container last wrote each item. */
const lastWritten = (): Map<string, number> => new Map();

/**
 * Stores a program's last delivery for its owner. Each container writes it once a minute at most, so that it does not
 * become a hot item. A failed write does not fail the event.
 */
export async function noteDelivery(deps: Deps, programId: number, note: DeliveryNote): Promise<void> {
  const { table, log, now, once } = deps;
  const written = once(lastWritten);
  const isBad = note === 'badSignature';
  const name = `${programId} ${isBad}`;
  const last = written.get(name);
  if (last !== undefined && Math.abs(now.getTime() - last) < NOTED_EVERY_MS) return;
  if (written.size >= MOST_PROGRAMS) written.clear();
  written.set(name, now.getTime());
  try {
    await (isBad ? noteLastBadSignature(table, programId, now) : noteLastDelivery(table, programId, note, now));
  } catch (error) {
    log.error('delivery_unnoted', error, { program_id: programId });
  }
}
