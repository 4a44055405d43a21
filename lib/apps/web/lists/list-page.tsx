import type { ComponentChildren } from 'preact';
import { countText } from '#lib/apps/web/format.ts';
import type { Filters } from '#lib/apps/web/hooks/use-filters.ts';
import { csvName, MOST_SORTED, type List, type ListColumn, type ListFilter } from '#lib/apps/web/lists/list.ts';
import { leavesOut, type OpenList } from '#lib/apps/web/lists/use-list.ts';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { ExportButton } from '#lib/apps/web/parts/table/export-button.tsx';
import { FilterBar } from '#lib/apps/web/parts/table/filter-bar.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import type { Selection } from '#lib/apps/web/parts/table/selection.tsx';
import type { Column, Sorting } from '#lib/apps/web/parts/table/table.tsx';

interface ListPageProps<Row> {
  readonly of: OpenList<Row>;
  readonly intro: ComponentChildren;
  /** Links that are shown before the button for the CSV file. */
  readonly related?: ComponentChildren;
  /** Buttons that are shown after the button for the CSV file. */
  readonly actions?: ComponentChildren;
  /** Id of the program, which becomes part of the CSV file's name. */
  readonly programId?: number;
  /** Beginning of the CSV file's name. Default: the list's name. */
  readonly csvName?: string;
  /** Title of a column that the table leaves out. */
  readonly without?: string;
  readonly selection?: Selection<Row>;
  readonly rowActions?: (row: Row) => ComponentChildren;
  /** Content that is shown between the filters and the table. */
  readonly children?: ComponentChildren;
}

export function ListPage<Row>({ of, ...props }: ListPageProps<Row>) {
  const { list, filters, pages, period, makeCsv } = of;
  const { related, actions, programId, rowActions } = props;
  return (
    <Page
      title={list.title}
      intro={props.intro}
      actions={
        (related || makeCsv || actions) && (
          <>
            {related}
            {makeCsv && (
              <ExportButton fileName={csvName(props.csvName ?? list.name, programId, period)} make={makeCsv} />
            )}
            {actions}
          </>
        )
      }
    >
      <FilterFields of={list.filters ?? []} filters={filters} />
      {props.children}
      <SortedNote sortedOf={pages.sortedOf} what={list.name} />
      <PagedTable
        label={list.title}
        pages={pages}
        keyOf={list.keyOf}
        sorting={sortingOf(filters)}
        selection={props.selection}
        tableFrom={list.tableFrom}
        columns={[
          ...tableColumns(list, props.without),
          ...(rowActions ? [{ title: 'Actions', isUntitled: true, cell: rowActions }] : []),
        ]}
        empty={list.noMatch && leavesOut(of) ? <NoMatch of={list.noMatch} filters={filters} /> : list.empty}
      />
    </Page>
  );
}

/** The columns of a list's table. @param without title of a column that is left out */
export const tableColumns = <Row,>({ columns }: Pick<List<Row>, 'columns'>, without?: string): readonly Column<Row>[] =>
  columns.filter(
    (column): column is ListColumn<Row> & Column<Row> => column.title !== undefined && column.title !== without,
  );

interface FilterFieldsProps {
  readonly of: readonly ListFilter[];
  readonly filters: Filters<string>;
}

function FilterFields({ of, filters }: FilterFieldsProps) {
  const bar = of.filter(({ isChips }) => !isChips);
  return (
    <>
      {of.filter(({ isChips }) => isChips).map(({ field }) => field(filters))}
      {bar.length > 0 && <FilterBar filters={filters}>{bar.map(({ field }) => field(filters))}</FilterBar>}
    </>
  );
}

interface NoMatchProps {
  readonly of: NonNullable<List<never>['noMatch']>;
  readonly filters: Filters<string>;
}

const NoMatch = ({ of: { title, showAll }, filters }: NoMatchProps) => (
  <Empty title={typeof title === 'string' ? title : title(filters)}>
    {showAll && (
      <button type="button" class="button" onClick={filters.reset}>
        {showAll}
      </button>
    )}
  </Empty>
);

/**
 * How the table is sorted. A click on a column's heading sorts by the column; a second click restores the initial
 * order.
 */
const sortingOf = ({ values: { sort }, change }: Filters<string>): Sorting | undefined =>
  sort === undefined ? undefined : { by: sort, onSort: (by) => change({ sort: by === sort ? 'created' : by }) };

/** If not all rows of the list are sorted, explains which ones are. @param sortedOf number of rows of the whole list */
const SortedNote = ({ sortedOf = 0, what }: { readonly sortedOf?: number; readonly what: string }) =>
  sortedOf > MOST_SORTED ? (
    <p class="hint list-note">
      The {countText(MOST_SORTED)} oldest of {countText(sortedOf)} {what} are compared and shown.
    </p>
  ) : null;
