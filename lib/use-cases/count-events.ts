import type { DynamoDBRecord } from 'aws-lambda';
import { counterId, latestClicks, mergeTallies } from '#lib/domain/counters.ts';
import type { Deps } from '#lib/deps.ts';
import { type CountedChange, changeOf } from '#lib/store/counted-items.ts';
import { countedWrites, counterWrite, noteLatestClick, uncounted } from '#lib/store/counters.ts';
import { settleRaces } from '#lib/use-cases/settle-races.ts';

/** DynamoDB takes this many writes in one transaction. */
const MOST_WRITES = 100;

/**
 * Counts what records of the table's stream tell, each record exactly once however often, in whatever order and in
 * however many places at once it is delivered: its counts and the mark that it is counted commit together.
 * @returns how many of the records, from the first on, are counted now; fewer than all when the next one could not be
 */
export async function countEvents(deps: Deps, records: readonly DynamoDBRecord[]): Promise<number> {
  let done = 0;
  while (done < records.length) {
    try {
      const { changes, taken } = takeChunk(records, done);
      await Promise.all([countOnce(deps, changes), noteLatestClicks(deps, changes)]);
      done += taken;
    } catch (error) {
      deps.log.error('record_uncounted', error, { sequence_number: records[done]!.dynamodb?.SequenceNumber });
      return done;
    }
  }
  return done;
}

interface Chunk {
  readonly changes: readonly CountedChange[];
  /** Records up to the chunk's end, those that count for nothing included. */
  readonly taken: number;
}

/** As many records as fit into one transaction. @throws when the first one cannot be understood */
function takeChunk(records: readonly DynamoDBRecord[], start: number): Chunk {
  const changes: CountedChange[] = [];
  const writes = new Set<string>();
  let taken = 0;
  for (const record of records.slice(start)) {
    const change = changeOrProblem(record);
    // Its problem is told when the chunk begins with it: what came before it is counted first.
    if ('problem' in change && taken > 0) break;
    if ('problem' in change) throw change.problem;
    const own = [`second ${change.second}`, ...change.tallies.map(({ counter }) => counterId(counter))];
    if (change.tallies.length > 0) {
      if (writes.union(new Set(own)).size > MOST_WRITES) break;
      for (const write of own) writes.add(write);
      changes.push(change);
    }
    taken += 1;
  }
  return { changes, taken };
}

function changeOrProblem(record: DynamoDBRecord): CountedChange | { readonly problem: unknown } {
  try {
    return changeOf(record);
  } catch (problem) {
    return { problem };
  }
}

async function countOnce(deps: Deps, changes: readonly CountedChange[]): Promise<void> {
  if (changes.length === 0) return;
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
