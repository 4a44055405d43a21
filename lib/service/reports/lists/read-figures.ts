import type { Counter } from '#lib/service/ground/counters/counter.ts';
import { type CounterReading, countsOf } from '#lib/service/ground/counters/counter-readings-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Figures, FiguresWanted } from '#lib/service/reports/figures/ranking.ts';

/** Counters that are read at once, so that those of 10,000 rows are not all in memory. */
const AT_ONCE = 1_000;

/** Reads the figures of rows, before they are sorted by one of them. */
export async function readFigures<Row>(
  table: Table,
  rows: readonly Row[],
  counterOf: (row: Row) => Counter,
  { period, before }: Pick<FiguresWanted, 'period' | 'before'>,
): Promise<(Row & Figures<CounterReading>)[]> {
  const counted: (Row & Figures<CounterReading>)[] = [];
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const read = rows.slice(at, at + AT_ONCE).map(async (row) => {
      const [counts, earlier] = await Promise.all([
        countsOf(table, counterOf(row), period),
        before && countsOf(table, counterOf(row), before),
      ]);
      return { ...row, counts, before: earlier };
    });
    counted.push(...(await Promise.all(read)));
    if (rows.length > AT_ONCE) table.forget();
  }
  return counted;
}
