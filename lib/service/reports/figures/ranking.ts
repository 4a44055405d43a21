import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Period } from '#lib/service/ground/values/performance.ts';

/** Sort orders for lists of partners or links: `created` = oldest first; the others = by a figure, highest first. */
export const sortings = ['created', 'clicks', 'leads', 'sales', 'revenue', 'commission'] as const;
type Sorting = (typeof sortings)[number];

/** The periods with which a sorted list can be compared. */
export const comparisons = ['previous'] as const;

/** The period of the figures in the rows of a list, and how the list is sorted. */
export interface FiguresWanted {
  /** The period of the figures; undefined means all time. */
  readonly period?: Period;
  readonly sort: Sorting;
  /** The currency of the amounts by which rows are sorted. By default the program's currency. */
  readonly currency?: Currency;
  /** The period before, with which each row is compared; undefined if rows are not compared. */
  readonly before?: Period;
}

/** How many rows of a longer list are sorted. This limits the number of counters that each page reads. */
export const MOST_SORTED = 10_000;

/** A page of a list that may be sorted by a figure. */
export interface RankedPage<Item> extends Page<Item> {
  /** The length of the whole list; undefined if the list is sorted by time. */
  readonly sortedOf?: number;
}

/** The name of the total in a counter by which rows are sorted. */
export function totalOf(sort: Exclude<Sorting, 'created'>, currency: Currency): string {
  return sort === 'revenue' || sort === 'commission' ? `${sort}${currency}` : sort;
}

interface Ranked {
  /** The figure, in the period, by which the rows are sorted. */
  readonly figure: number;
  /** The same figure of the period before; undefined if rows are not compared. */
  readonly figureBefore?: number;
  /** Position in the list by time. Positions sort as texts. */
  readonly place: string;
}

/**
 * The row's position among all rows when they are sorted by the figure: in the shown period, and in the period before.
 * Undefined for a row whose figure is 0.
 */
export interface Ranks {
  readonly rank?: number;
  readonly rankBefore?: number;
}

/**
 * A page of rows sorted by a figure, highest first; equal figures are sorted by time. The cursor contains the figure
 * and place of the last row shown, not a row number. So a row whose figure does not change appears on exactly one page,
 * even if other figures change.
 */
export function rankedPage<Row extends Ranked>(rows: readonly Row[], { most, after }: PageRequest): Page<Row & Ranks> {
  const ranked = inOrder(rows, ({ figure }) => figure);
  const [now, before] = [ranksOf(ranked), ranksOf(inOrder(rows, ({ figureBefore = 0 }) => figureBefore))];
  const shown = after === undefined ? undefined : rankAt(after);
  const rest = shown === undefined ? ranked : ranked.filter(({ rank }) => compared(rank, shown) > 0);
  const page = rest.slice(0, most);
  const last = rest.length > most ? page.at(-1) : undefined;
  const items = page.map(({ row }) => ({ ...row, rank: now.get(row.place), rankBefore: before.get(row.place) }));
  return { items, next: last && positionOf(last.rank) };
}

interface Placed<Row> {
  readonly row: Row;
  readonly rank: Rank;
}

const inOrder = <Row extends Ranked>(rows: readonly Row[], figureOf: (row: Row) => number): Placed<Row>[] =>
  rows
    .map((row) => ({ row, rank: { figure: figureOf(row), place: row.place } }))
    .toSorted((a, b) => compared(a.rank, b.rank));

/** The rank of each row by its place in the list. Rows whose figure is 0 get no rank and do not count for others. */
const ranksOf = (ranked: readonly { readonly rank: Rank }[]): ReadonlyMap<string, number> =>
  new Map(ranked.filter(({ rank }) => rank.figure !== 0).map(({ rank: { place } }, index) => [place, index + 1]));

interface Rank {
  readonly figure: number;
  readonly place: string;
}

function compared(a: Rank, b: Rank): number {
  if (a.figure !== b.figure) return b.figure - a.figure;
  if (a.place === b.place) return 0;
  return a.place < b.place ? -1 : 1;
}

const positionOf = ({ figure, place }: Rank): string => `${figure} ${place}`;

/** Parses the rank in a cursor's position. A forged position may contain no number; then no rows follow. */
function rankAt(position: string): Rank {
  const [figure = ''] = position.split(' ', 1);
  return { figure: Number(figure), place: position.slice(figure.length + 1) };
}
