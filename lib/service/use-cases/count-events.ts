import type { DynamoDBRecord } from 'aws-lambda';
import { counterId, latestClicks, mergeIncrements } from '#lib/domain/counters.ts';
import type { Deps } from '#lib/service/deps.ts';
import { type CountedChange, countedChangeOf } from '#lib/service/store/counted-items.ts';
import { markWrites, counterWrite, noteLatestClick, unprocessed } from '#lib/service/store/counters.ts';
import { passProbe, probeIn } from '#lib/service/store/probes.ts';
import { ConditionFailed, MOST_WRITES, WriteRejected } from '#lib/service/store/writes.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/** A record's change with its index in the batch. */
interface Placed extends CountedChange {
  readonly at: number;
}

/**
 * Counts the records of the table's stream, each record exactly once however often, in whatever order and in
 * however many places at once it is delivered: its counts and the mark that it is counted commit together.
 * @returns how many of the records, from the first on, are counted now; fewer than all when the next one could not be
 */
export async function countEvents(deps: Deps, records: readonly DynamoDBRecord[]): Promise<number> {
  let done = records.length;
  const fail = (error: unknown, ...open: readonly Pick<Placed, 'at'>[]): void => {
    const first = Math.min(...open.map(({ at }) => at));
    deps.log.error('record_uncounted', error, { sequence_number: records[first]!.dynamodb?.SequenceNumber });
    done = Math.min(done, first);
  };
  const changes = records.flatMap((record, at): Placed[] => {
    try {
      const change = countedChangeOf(record);
      return change.increments.length > 0 ? [{ ...change, at }] : [];
    } catch (error) {
      // An invalid record must not delay the others.
      fail(error, { at });
      return [];
    }
  });
  const waiting = chunksOf(changes);
  for (let chunk = waiting.shift(); chunk; chunk = waiting.shift()) {
    try {
      await whenAllEnded([countOnce(deps, chunk), noteLatestClicks(deps, chunk)]);
    } catch (error) {
      if (isSpoilt(error) && chunk.length > 1) {
        waiting.unshift(...partsOf(chunk));
      } else if (isSpoilt(error) || error instanceof ConditionFailed) {
        fail(error, ...chunk);
      } else {
        // A failure of the table or the network: other chunks would fail, too.
        fail(error, ...chunk, ...waiting.flat());
        break;
      }
    }
  }
  // Last, because a probe confirms that everything before it is counted.
  const probes = records.slice(0, done).flatMap((record, at) => ({ at, probe: probeIn(record) }));
  for (const { at, probe } of probes) {
    if (probe) await passProbe(deps.table, probe).catch((error: unknown) => fail(error, { at }));
  }
  return done;
}

/** One of the changes, or their sum, is invalid. The others can be written without it. */
const isSpoilt = (error: unknown): boolean =>
  error instanceof WriteRejected || (error instanceof Error && (error.name === 'ValidationException' || isOurs(error)));

/**
 * Thrown before a request was sent, such as for an unsafe sum. Errors of the SDK or the network have a code or
 * metadata.
 */
const isOurs = (error: Error): boolean =>
  ['Error', 'TypeError', 'RangeError'].includes(error.name) && !('code' in error) && !('$metadata' in error);

/** First by program, so that none waits for another; then halves, until the invalid change is alone. */
function partsOf<C extends Pick<CountedChange, 'programId'>>(changes: readonly C[]): C[][] {
  const programs = [...Map.groupBy(changes, ({ programId }) => programId).values()];
  if (programs.length > 1) return programs;
  const half = Math.ceil(changes.length / 2);
  return [changes.slice(0, half), changes.slice(half)];
}

/**
 * Groups changes into transactions of the maximal size. Those of one program are adjacent, so that common writes are
 * merged.
 */
export function chunksOf<C extends Pick<CountedChange, 'second' | 'programId' | 'increments'>>(
  changes: readonly C[],
): C[][] {
  const chunks: C[][] = [];
  let writes = new Set<string>();
  for (const change of [...Map.groupBy(changes, ({ programId }) => programId).values()].flat()) {
    const own = new Set([
      `${change.second} ${change.programId}`,
      ...change.increments.map(({ counter }) => counterId(counter)),
    ]);
    if (chunks.length === 0 || writes.union(own).size > MOST_WRITES) {
      chunks.push([]);
      writes = new Set();
    }
    writes = writes.union(own);
    chunks.at(-1)!.push(change);
  }
  return chunks;
}

async function countOnce(deps: Deps, changes: readonly CountedChange[]): Promise<void> {
  // The chunk before this one may have written the marks that are read now.
  deps.table.forget();
  await retryOnConflict(
    deps,
    async () => {
      const fresh = await unprocessed(deps.table, changes);
      if (fresh.length === 0) return;
      const increments = mergeIncrements(fresh.flatMap(({ increments: own }) => own));
      const writes = [...(await markWrites(deps.table, fresh)), ...increments.map(counterWrite)];
      await deps.table.transact(writes).catch((error: unknown) => {
        // Another shard's transaction held an item for all attempts: handled like a lost race.
        throw isHeld(error) ? new ConditionFailed(new Map()) : error;
      });
    },
    SHARD_LIMITS,
  );
}

const isHeld = (error: unknown): boolean => error instanceof Error && error.name === 'TransactionCanceledException';

/** All shards may have events of one program and second, whose mark only one can write at a time. About ten seconds. */
const SHARD_LIMITS = { attempts: 14, firstPauseMs: 20, longestPauseMs: 2_000 };

/** Also for records that are counted already: it is idempotent, and may have failed when they were counted. */
async function noteLatestClicks({ table }: Deps, changes: readonly CountedChange[]): Promise<void> {
  const latest = latestClicks(changes.flatMap(({ after }) => after ?? []));
  await whenAllEnded([...latest].map(([shortLink, at]) => noteLatestClick(table, shortLink, at)));
}

/** As `Promise.all`, but a failure is thrown only when all have ended: a run leaves no call under way. */
async function whenAllEnded(calls: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(calls);
  await Promise.all(calls);
}
