import type { EventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Period } from '#lib/service/ground/values/performance.ts';

/** Sort orders for lists of partners or links: `created` = oldest first; the others = by a figure, highest first. */
export const sortings = ['created', 'clicks', 'leads', 'sales', 'revenue', 'commission'] as const;
type Sorting = (typeof sortings)[number];

/** The period of the figures in a list's rows, and the sort order. */
export interface FiguresWanted {
  /** The period of the figures; undefined means all-time. */
  readonly period?: Period;
  readonly sort: Sorting;
}

/** The number of rows of a longer list that are sorted. It limits the number of counters read per page. */
export const MOST_SORTED = 1_000;

/** A page of a list that may be sorted by a figure. */
export interface RankedPage<Item> extends Page<Item> {
  /** The length of the whole list; undefined if the list is sorted by time. */
  readonly sortedOf?: number;
}

interface Ranked {
  readonly counts: EventCounts;
  /** Position in the list by time. Positions sort as texts. */
  readonly place: string;
}

const figures: Readonly<Record<Exclude<Sorting, 'created'>, (counts: EventCounts, currency: Currency) => number>> = {
  clicks: ({ clicks }) => clicks,
  leads: ({ leads }) => leads,
  sales: ({ sales }) => sales,
  revenue: ({ amounts }, currency) => amounts[currency]?.revenueCents ?? 0,
  commission: ({ amounts }, currency) => amounts[currency]?.commissionCents ?? 0,
};

interface RankedBy {
  readonly sort: keyof typeof figures;
  readonly currency: Currency;
}

/**
 * A page of rows sorted by a figure, highest first; equal figures are sorted by time. The position is the rank of the
 * last row shown, not a row number. A row with an unchanged figure therefore appears on exactly one page even if other
 * figures change.
 */
export function rankedPage<Row extends Ranked>(
  rows: readonly Row[],
  { sort, currency }: RankedBy,
  { most, after }: PageRequest,
): Page<Row> {
  const rankOf = ({ counts, place }: Row): Rank => ({ figure: figures[sort](counts, currency), place });
  const ranked = rows.map((row) => ({ row, rank: rankOf(row) })).toSorted((a, b) => compared(a.rank, b.rank));
  const shown = after === undefined ? undefined : rankAt(after);
  const rest = shown === undefined ? ranked : ranked.filter(({ rank }) => compared(rank, shown) > 0);
  const page = rest.slice(0, most);
  const last = rest.length > most ? page.at(-1) : undefined;
  return { items: page.map(({ row }) => row), next: last && positionOf(last.rank) };
}

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

/** Parses the rank in a position. A forged position may contain no number; then no rows follow. */
function rankAt(position: string): Rank {
  const [figure = ''] = position.split(' ', 1);
  return { figure: Number(figure), place: position.slice(figure.length + 1) };
}
