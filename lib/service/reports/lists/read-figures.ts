import type { Counter } from '#lib/service/ground/counters/counter.ts';
import type { EventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import { type CounterReading, countsOf } from '#lib/service/ground/counters/counter-readings-items.ts';
import { totalsOf } from '#lib/service/ground/counters/counter-totals-items.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { type FiguresWanted, rankedPage, type Ranks, totalOf } from '#lib/service/reports/figures/ranking.ts';

type RankedBy = FiguresWanted & { readonly sort: Parameters<typeof totalOf>[0]; readonly currency: Currency };

/** A page of rows, sorted by one figure, which is read from the counters of all rows. */
export async function rowsByFigure<Row extends { readonly place: string }>(
  table: Table,
  rows: readonly Row[],
  counterOf: (row: Row) => Counter,
  { sort, currency, period, before }: RankedBy,
  page: PageRequest,
): Promise<Page<Row & Ranks>> {
  const periods = [period, before].filter((one) => one !== undefined);
  const totals = await totalsOf(table, rows.map(counterOf), totalOf(sort, currency), periods);
  const ranked = rows.map((row, index) => {
    const [figure = 0, figureBefore] = totals[index]!;
    return { ...row, figure, figureBefore };
  });
  return rankedPage(ranked, page);
}

/** A row's ranks, and its figures in the period before. */
export interface Comparison extends Ranks {
  readonly countsBefore: EventCounts;
}

interface Figures {
  readonly counts: CounterReading;
  /** The ranks and former figures; undefined if rows are not compared. */
  readonly comparison?: Comparison;
}

/** All figures of a row on the page. */
export async function figuresOf(
  table: Table,
  counter: Counter,
  { period, before }: Pick<FiguresWanted, 'period' | 'before'>,
  { rank, rankBefore }: Ranks,
): Promise<Figures> {
  const [counts, countsBefore] = await Promise.all([
    countsOf(table, counter, period),
    before && countsOf(table, counter, before),
  ]);
  return { counts, ...(countsBefore && { comparison: { rank, rankBefore, countsBefore } }) };
}
