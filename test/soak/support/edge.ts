import { inParallel } from '#test/live/in-parallel.ts';
import { hold } from '#test/live/hold.ts';
import type { ServiceClock } from '#test/soak/support/service-clock.ts';

/** Which side of an edge a reply shows. */
export interface Sighting {
  readonly side: 'before' | 'after';
  /** The edge of the tested item, by the service's clock. */
  readonly edge: number;
}

/** A time at which the service's reply changes. */
export interface Edge {
  readonly name: string;
  /** The first and the last edge of the tested items. */
  readonly first: number;
  readonly last: number;
  /** Sends the n-th request. */
  readonly look: (n: number) => Promise<readonly Sighting[]>;
}

export const LOOKS = 80;
const WORKERS = 8;
const FAR_MS = 60_000;
const NEAR_MS = 30;

/**
 * Sends requests repeatedly on both sides of an edge while the clock is moved: far before it, close before it so that
 * it passes under load, onto it, and far behind it. Each reply must be correct at one point during its request.
 * @returns the number of replies on each side
 */
export async function passEdge(
  clock: ServiceClock,
  { name, first, last, look }: Edge,
): Promise<Record<Sighting['side'], number>> {
  const moves = new Map([
    [LOOKS / 4, first - NEAR_MS],
    [LOOKS / 2, last],
    [(3 * LOOKS) / 4, last + FAR_MS],
  ]);
  await clock.moveTo(first - FAR_MS);
  const looks = await inParallel(LOOKS, WORKERS, async (n) => {
    const move = moves.get(n);
    if (move !== undefined) await clock.moveTo(move);
    const sentAt = Date.now();
    const sightings = await look(n);
    return { sightings, sentAt, repliedAt: Date.now() };
  });

  const counts = { before: 0, after: 0 };
  for (const { sightings, sentAt, repliedAt } of looks) {
    const [earliest, latest] = clock.during(sentAt, repliedAt);
    for (const { side, edge } of sightings) {
      counts[side] += 1;
      hold(side === 'after' || earliest <= edge, `${name}: still as before, ${earliest - edge} ms after the edge`);
      hold(side === 'before' || latest >= edge, `${name}: already as after, ${edge - latest} ms before the edge`);
    }
  }
  hold(
    counts.before > 0 && counts.after > 0,
    `${name}: seen ${counts.before} times before it, ${counts.after} after it`,
  );
  await clock.reset();
  return counts;
}
