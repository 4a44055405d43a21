import type { ComponentChildren } from 'preact';
import type { Pages } from '#lib/apps/dashboard/hooks/use-pages.ts';
import { Failure } from '#lib/apps/dashboard/parts/failure.tsx';
import { Spinner } from '#lib/apps/dashboard/parts/spinner.tsx';
import { type Column, Table } from '#lib/apps/dashboard/parts/table.tsx';

interface PagedTableProps<Row> {
  readonly label: string;
  readonly pages: Pages<Row>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  /** Shown instead of a table without rows. */
  readonly empty: ComponentChildren;
}

/** A list that comes in pages, with the button for the next one. */
export function PagedTable<Row>({ label, pages, columns, keyOf, empty }: PagedTableProps<Row>) {
  const { items, hasMore, isPending, error, more, reload } = pages;
  const retry = items ? more : () => void reload();
  return (
    <div class="card table-card" aria-busy={isPending}>
      {items && items.length > 0 && <Table label={label} columns={columns} rows={items} keyOf={keyOf} />}
      {items?.length === 0 && (hasMore ? <p class="hint">No match so far. There is more to look through.</p> : empty)}
      {isPending && !items && <Spinner />}
      {error && <Failure error={error} onRetry={retry} />}
      {hasMore && !error && (
        <button type="button" class="button more" aria-disabled={isPending} onClick={more}>
          {isPending ? 'Loading…' : 'Load more'}
        </button>
      )}
    </div>
  );
}
