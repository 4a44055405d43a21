import type { ComponentChildren } from 'preact';
import type { Pages } from '#lib/apps/web/hooks/use-pages.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Skeleton } from '#lib/apps/web/parts/table/skeleton.tsx';
import { Table, type TableProps } from '#lib/apps/web/parts/table/table.tsx';

interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  readonly pages: Pages<Row>;
  /** What is shown instead of a table without rows. */
  readonly empty: ComponentChildren;
}

/**
 * A table whose rows are loaded page by page, with a button for the next page. After a change of filters, the old rows
 * stay visible, dimmed, until the new ones are loaded.
 */
export function PagedTable<Row>({ pages, empty, ...table }: PagedTableProps<Row>) {
  const { items, isOutdated, hasMore, isPending, error, more, retry } = pages;
  return (
    <div class={`card table-card ${items && isOutdated ? 'outdated' : ''}`} aria-busy={isPending}>
      {items && items.length > 0 && <Table {...table} rows={items} />}
      {items?.length === 0 && (hasMore ? <p class="hint">No match so far. There is more to look through.</p> : empty)}
      {isPending && !items && <Skeleton lines={6} />}
      {error && <Failure error={error} onRetry={retry} what={table.label} />}
      {hasMore && !error && (
        <button type="button" class="button more" aria-disabled={isPending} onClick={more}>
          {isPending ? 'Loading…' : 'Load more'}
        </button>
      )}
    </div>
  );
}
