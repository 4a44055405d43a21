import type { Deps } from '#lib/service/deps.ts';
import { noteLastBadSignature, noteLastDelivery } from '#lib/service/store/deliveries.ts';

/** What is kept of a program's last event, or that its signature was wrong. */
export type DeliveryNote = { readonly type: string; readonly outcome: string } | 'badSignature';

const NOTED_EVERY_MS = 60_000;
const MOST_PROGRAMS = 1_000;

/** When this container last wrote which note. */
const lastWritten = (): Map<string, number> => new Map();

/**
 * Keeps a program's last delivery for its owner to see. Each container writes it once a minute at most, so that many
 * events cost no hot item. A note that fails costs no event.
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
