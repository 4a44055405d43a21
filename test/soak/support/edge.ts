import { inParallel } from '#test/live/in-parallel.ts';
import { hold } from '#test/live/hold.ts';
import type { ServiceClock } from '#test/soak/support/service-clock.ts';

/** On which side of its edge something was found to be. */
export interface Sighting {
  readonly side: 'before' | 'after';
  /** The edge of what was looked at, by the service's clock. */
  readonly edge: number;
}

/** A moment at which the service's answer changes. */
export interface Edge {
  readonly name: string;
  /** Of the things that are looked at, the first edge and the last. */
  readonly first: number;
  readonly last: number;
  /** Asks for the n-th time. */
  readonly look: (n: number) => Promise<readonly Sighting[]>;
}

export const LOOKS = 80;
const WORKERS = 8;
const FAR_MS = 60_000;
const NEAR_MS = 30;

/**
 * Looks at both sides of an edge again and again, while the clock is moved: far before it, close before it, so that it
 * passes under load, onto it, and far behind it. Each answer must be right at one moment at least of its request.
 * @returns how many answers there were of each side
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
