import { incrementsOf } from '#lib/domain/counters.ts';
import { MARK_CHARACTERS } from '#lib/service/store/counters.ts';
import { type Key, keys } from '#lib/service/store/keys.ts';
import { chunksOf } from '#lib/service/use-cases/count-events.ts';
import { type Drawn, drawing, type Rate } from '#test/bench/support/large-day.ts';

/** How the stream's records come to their consumer. */
export interface Delivery {
  /** Each delivers batches of its own: of a table that takes this many thousand write units a second. */
  readonly shards: number;
  readonly batchWindowSeconds: number;
  /** Records at most. */
  readonly batchSize: number;
}

/** What the counters write. */
export interface CounterLoad {
  readonly recordsOfABatch: number;
  readonly unitsOfAnEvent: number;
  /** Units a second of each item. */
  readonly unitsByItem: ReadonlyMap<string, number>;
}

const BATCHES = 40;
/** In a transaction. */
const UNITS_OF_A_WRITE = 2;

/** Cuts batches of drawn clicks with the service's own rule, and sums up what their transactions write. */
export function counterLoad(rate: Rate, { shards, batchWindowSeconds, batchSize }: Delivery): CounterLoad {
  const perSecond = rate.first + rate.others;
  const recordsOfABatch = Math.max(1, Math.min(batchSize, Math.round((perSecond * batchWindowSeconds) / shards)));
  const batchesASecond = perSecond / recordsOfABatch;
  // A batch of one of many shards spans more of the clock than the same number of records of all.
  const spanSeconds = Math.min(batchWindowSeconds, recordsOfABatch / (perSecond / shards));
  /** Marks of so many seconds are written at the same time. */
  const secondsAtOnce = Math.max(1, Math.ceil(spanSeconds));
  const draw = drawing(rate);
  const units = new Map<string, number>();
  const add = ({ pk, sk }: Key, by: number) => units.set(`${pk} ${sk}`, (units.get(`${pk} ${sk}`) ?? 0) + by);

  for (let batch = 0; batch < BATCHES; batch++) {
    const changes = Array.from({ length: recordsOfABatch }, (_, n) =>
      changeOf(draw(), Math.floor((n * spanSeconds) / recordsOfABatch)),
    );
    for (const chunk of chunksOf(changes)) {
      const counters = new Map(
        chunk.flatMap(({ increments }) => increments).map(({ counter }) => [JSON.stringify(counter), counter]),
      );
      for (const counter of counters.values()) add(keys.counter(counter), UNITS_OF_A_WRITE);
      for (const shortLink of new Set(chunk.map((change) => change.shortLink))) add(keys.lastClick(shortLink), 1);
      for (const programId of new Set(chunk.map((change) => change.programId))) {
        const marked = new Set(chunk.filter((change) => change.programId === programId).map(({ second }) => second));
        // As large as it becomes: all marks of the program and second, of whatever shard.
        const kilobytes = Math.ceil(((programId === 0 ? rate.first : 1) * MARK_CHARACTERS) / 1_024);
        // Each second has one of its own, which is busy for as long as batches with its records come.
        add(keys.counted(0, programId), (UNITS_OF_A_WRITE * kilobytes * marked.size) / secondsAtOnce);
      }
    }
  }
  const all = [...units].reduce(
    (sum, [item, each]) => sum + (item.startsWith('COUNTED#') ? each * secondsAtOnce : each),
    0,
  );
  return {
    recordsOfABatch,
    unitsOfAnEvent: all / (BATCHES * recordsOfABatch),
    unitsByItem: new Map([...units].map(([item, each]) => [item, (each / BATCHES) * batchesASecond])),
  };
}

const CREATED_AT = '2026-11-20T15:00:00.000Z';

function changeOf({ program, link }: Drawn, second: number) {
  const shortLink = `${program}-${link}`;
  const item = { programId: program, partnerId: program * 1_000 + link, shortLink, createdAt: CREATED_AT };
  return { second, programId: program, shortLink, increments: incrementsOf(undefined, { kind: 'click', item }) };
}
