import { type Countable, incrementsOf } from '#lib/service/reports/counting/counters.ts';
import { type Counter, counterId } from '#lib/service/ground/counters/counter.ts';
import { versionOf } from '#lib/service/ground/changes/versions.ts';

/** The numbers of one counter, computed from the events. */
interface EventCounts {
  readonly counter: Counter;
  readonly counts: Readonly<Record<string, number>>;
  /**
   * For each field, a checksum of the events that count in it, as they were when they were read. If two recounts have
   * the same checksum, they found the same events.
   */
  readonly marks: Readonly<Record<string, number>>;
}

/** The sums of a recount, by counter id. */
export type EventSums = ReadonlyMap<string, EventCounts>;

/** Whether a field of a counter is needed. All other fields would only take memory. */
export type Wanted = (counter: Counter, field: string) => boolean;

/** Sums up what events add to the wanted fields of counters. */
export function eventSum(isWanted: Wanted) {
  const sums = new Map<
    string,
    { readonly counter: Counter; readonly counts: Record<string, number>; readonly marks: Record<string, number> }
  >();
  return {
    add(countable: Countable): void {
      for (const { counter, counts } of incrementsOf(undefined, countable)) {
        for (const [field, by] of Object.entries(counts)) {
          if (!isWanted(counter, field)) continue;
          const id = counterId(counter);
          const sum = sums.get(id) ?? { counter, counts: {}, marks: {} };
          sums.set(id, sum);
          sum.counts[field] = (sum.counts[field] ?? 0) + by;
          sum.marks[field] = ((sum.marks[field] ?? 0) + markOf(countable, by)) | 0;
        }
      }
    },
    sums: (): EventSums => sums,
  };
}

/** Factors of the checksum. They are odd, so that multiplying by them spreads values over all 32 bits. */
const [SPREAD_IDS, SPREAD_VERSIONS, SPREAD_COUNTS] = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35];

function markOf({ item }: Countable, by: number): number {
  const { id = 0, ...versioned } = item as { readonly id?: number; readonly version?: number };
  const spread = Math.imul(id, SPREAD_IDS) + Math.imul(versionOf(versioned), SPREAD_VERSIONS);
  return (spread + Math.imul(by, SPREAD_COUNTS)) | 0;
}
