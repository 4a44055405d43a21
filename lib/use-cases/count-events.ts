import type { DynamoDBRecord } from 'aws-lambda';
import { counterId, latestClicks, mergeTallies } from '#lib/domain/counters.ts';
import type { Deps } from '#lib/deps.ts';
import { type CountedChange, changeOf } from '#lib/store/counted-items.ts';
import { countedWrites, counterWrite, noteLatestClick, uncounted } from '#lib/store/counters.ts';
import { ConditionFailed, WriteRejected } from '#lib/store/writes.ts';
import { settleRaces } from '#lib/use-cases/settle-races.ts';

/** DynamoDB takes this many writes in one transaction. */
const MOST_WRITES = 100;

/** A record's change with the record's place in its batch. */
interface Placed extends CountedChange {
  readonly at: number;
}

/**
 * Counts what records of the table's stream tell, each record exactly once however often, in whatever order and in
 * however many places at once it is delivered: its counts and the mark that it is counted commit together.
 * @returns how many of the records, from the first on, are counted now; fewer than all when the next one could not be
 */
export async function countEvents(deps: Deps, records: readonly DynamoDBRecord[]): Promise<number> {
  let done = records.length;
  const fail = (error: unknown, told: number, open: readonly Pick<Placed, 'at'>[]): void => {
    deps.log.error('record_uncounted', error, { sequence_number: records[told]!.dynamodb?.SequenceNumber });
    done = Math.min(done, ...open.map(({ at }) => at));
  };
  const changes = records.flatMap((record, at): Placed[] => {
    try {
      const change = changeOf(record);
      return change.tallies.length > 0 ? [{ ...change, at }] : [];
    } catch (error) {
      // It cannot be understood, which holds up none of the others.
      fail(error, at, [{ at }]);
      return [];
    }
  });
  const chunks = chunksOf(changes);
  for (const [index, chunk] of chunks.entries()) {
    try {
      await Promise.all([countOnce(deps, chunk), noteLatestClicks(deps, chunk)]);
    } catch (error) {
      const isAlone = isOwnProblem(error);
      fail(error, chunk[0]!.at, isAlone ? chunk : chunks.slice(index).flat());
      if (!isAlone) break;
    }
  }
  return done;
}

/** The table would not take these writes; it may well take others. Any other failure is the table's, or of the way to it. */
const isOwnProblem = (error: unknown): boolean =>
  error instanceof ConditionFailed ||
  error instanceof WriteRejected ||
  (error instanceof Error && ['TransactionCanceledException', 'ValidationException'].includes(error.name));

/**
 * Cuts changes into transactions, each as large as the table takes it. Those of one program stand together: what they
 * share is written once.
 */
export function chunksOf<Change extends Pick<CountedChange, 'second' | 'programId' | 'tallies'>>(
  changes: readonly Change[],
): Change[][] {
  const chunks: Change[][] = [];
  let writes = new Set<string>();
  for (const change of [...Map.groupBy(changes, ({ programId }) => programId).values()].flat()) {
    const own = new Set([
      `${change.second} ${change.programId}`,
      ...change.tallies.map(({ counter }) => counterId(counter)),
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
  await settleRaces(deps, async () => {
    const fresh = await uncounted(deps.table, changes);
    if (fresh.length === 0) return;
    const tallies = mergeTallies(fresh.flatMap(({ tallies: own }) => own));
    await deps.table.transact([...(await countedWrites(deps.table, fresh)), ...tallies.map(counterWrite)]);
  });
}

/** Done for counted records too: it is idempotent by nature, and may be what failed when they were counted. */
async function noteLatestClicks({ table }: Deps, changes: readonly CountedChange[]): Promise<void> {
  const latest = latestClicks(changes.flatMap(({ after }) => after ?? []));
  await Promise.all([...latest].map(([shortLink, at]) => noteLatestClick(table, shortLink, at)));
}
