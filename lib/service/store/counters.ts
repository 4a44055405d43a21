import { sha256 } from '#lib/domain/credential.ts';
import type { CounterIncrement } from '#lib/domain/counters.ts';
import { type Key, keys } from '#lib/service/store/keys.ts';
import type { Table } from '#lib/service/store/table.ts';
import { ConditionFailed, type Write } from '#lib/service/store/writes.ts';

/** Adds to a counter. `metrics rebuild` sees by its version that it changed. */
export const counterWrite = ({ counter, counts }: CounterIncrement): Write => ({
  name: 'counter',
  key: keys.counter(counter),
  change: { add: { ...counts, version: 1 } },
});

/** Which records of the stream, of one program and created in one second, are counted. */
interface Counted {
  readonly ids?: ReadonlySet<string>;
  readonly version?: number;
}

/** The stream keeps records for 24 hours, so none is redelivered after twice as long. */
const MARK_LIFE_SECONDS = 48 * 3_600;

/** 64 bits distinguish the records of one second and let a thousand of them fit in a few kilobytes. */
export const MARK_CHARACTERS = 16;
const markOf = (recordId: string): string => sha256(recordId).slice(0, MARK_CHARACTERS);

type StreamRecord = { readonly id: string; readonly second: number; readonly programId: number };

/** Per program, so that programs do not contend for one item. */
const markKeyOf = ({ second, programId }: StreamRecord): Key => keys.counted(second, programId);

const findCounted = async (table: Table, record: StreamRecord): Promise<Counted> =>
  (await table.get<Counted>(markKeyOf(record))) ?? {};

/** The records that are not counted yet, without duplicates. */
export async function unprocessed<R extends StreamRecord>(table: Table, records: readonly R[]): Promise<R[]> {
  const counted = await Promise.all(records.map((record) => findCounted(table, record)));
  const marked = new Set(counted.flatMap(({ ids = [] }) => [...ids]));
  return records.filter(({ id }) => {
    const mark = markOf(id);
    return !marked.has(mark) && marked.add(mark);
  });
}

/** Writes that mark records as counted. They go with the records' counts in one transaction. */
export const markWrites = (table: Table, records: readonly StreamRecord[]): Promise<Write[]> =>
  Promise.all(
    Map.groupBy(records, (record) => markKeyOf(record).pk)
      .values()
      .map(async (together): Promise<Write> => {
        const [first] = together as [StreamRecord];
        const { version } = await findCounted(table, first);
        return {
          name: 'counted',
          key: markKeyOf(first),
          change: {
            add: { ids: new Set(together.map(({ id }) => markOf(id))), version: 1 },
            set: { expires_at: first.second + MARK_LIFE_SECONDS },
          },
          // The same records are delivered twice at once: the loser finds them counted.
          condition: { equals: { version } },
        };
      }),
  );

/** Stores the time of a link's latest click; clicks may come in any order. */
export async function noteLatestClick(table: Table, shortLink: string, at: string): Promise<void> {
  try {
    // A later one is stored already: nothing to do.
    await table.update(keys.lastClick(shortLink), { set: { lastClickedAt: at } }, { below: { lastClickedAt: at } });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
