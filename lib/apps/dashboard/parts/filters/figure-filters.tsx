import { countText } from '#lib/apps/web/format.ts';
import { sortings } from '#lib/apps/dashboard/figures.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import type { Filters } from '#lib/apps/web/hooks/use-filters.ts';
import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';
import { PeriodFilter } from '#lib/apps/web/parts/table/period-filter.tsx';
import type { Sorting } from '#lib/apps/web/parts/table/table.tsx';
import { allTime } from '#lib/apps/web/period.ts';

type FigureFilterValues = Pick<Filters<'period' | 'from' | 'to' | 'sort'>, 'values' | 'change'>;

/** Filters for the period and the sort order; needed where columns have no headings to click. */
export function FigureFilters({ filters: { values, change } }: { readonly filters: FigureFilterValues }) {
  const { currency } = useProgram().program;
  return (
    <>
      <PeriodFilter chosen={values} onChange={change} first={allTime} />
      <ChoiceFilter
        label="Sort by"
        value={values.sort}
        onChange={(sort) => change({ sort })}
        options={sortings(currency)}
      />
    </>
  );
}

/** A click on a column heading sorts by it; a second click restores the initial order. */
export const sortingOf = ({ values, change }: FigureFilterValues): Sorting => ({
  by: values.sort,
  onSort: (by) => change({ sort: by === values.sort ? 'created' : by }),
});

const MOST_SORTED = 1_000;

/** @param sortedOf length of the whole list */
export const SortedNote = ({ sortedOf = 0, what }: { readonly sortedOf?: number; readonly what: string }) =>
  sortedOf > MOST_SORTED ? (
    <p class="hint list-note">
      The {countText(MOST_SORTED)} oldest of {countText(sortedOf)} {what} are compared and shown.
    </p>
  ) : null;
