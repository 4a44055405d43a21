import type { Api, Query } from '#lib/apps/web/api/api.ts';
import { type Filters, useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { type Pages, usePages } from '#lib/apps/web/hooks/use-pages.ts';
import type { CsvMaker, List } from '#lib/apps/web/lists/list.ts';
import { type Period, periodOf } from '#lib/apps/web/period.ts';

/** A list while its page is open: its filters, and the rows that match them. */
export interface OpenList<Row> {
  readonly list: List<Row>;
  readonly filters: Filters<string>;
  readonly pages: Pages<Row>;
  /** The filters as query parameters of the API. */
  readonly query: Query;
  readonly period: Period;
  readonly makeCsv?: ReturnType<CsvMaker>;
}

/** Opens a list. Its filters are kept in the page's address. @param path of the list's parent in the API */
export function useList<Row>(list: List<Row>, api: Api, path: string): OpenList<Row> {
  const filters = useFilters(Object.assign({}, ...(list.filters ?? []).map(({ values }) => values)));
  const { period: chosen = '', from = '', to = '', ...others } = filters.values;
  const period = periodOf({ period: chosen, from, to }, api.today());
  const query = { ...others, ...period };
  const address = `${path}/${list.name}`;
  const pages = usePages<Row>(api, address, query);
  return { list, filters, pages, query, period, makeCsv: list.csv?.(list, api, address, query) };
}

/** Whether any filter that leaves rows out is set. */
export const leavesOut = ({
  list,
  filters,
}: Pick<OpenList<never>, 'filters'> & { list: Pick<List<never>, 'filters'> }) =>
  (list.filters ?? []).some(
    ({ values, keepsRows }) =>
      !keepsRows && Object.entries(values).some(([name, initial]) => filters.values[name] !== initial),
  );
