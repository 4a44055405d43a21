import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import type { Key } from '#lib/apps/web/parts/table/selection.tsx';
import { type Column, Table } from '#lib/apps/web/parts/table/table.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

const SHOWN = 5;

interface LatestProps<Row> {
  /** Last part of the API path, and name of the page that lists all. */
  readonly of: 'customers' | 'commissions';
  readonly partnerId: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => Key;
}

/** The newest entries of a partner, with a link to all of them. */
export function Latest<Row>({ of, partnerId, columns, keyOf }: LatestProps<Row>) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const loading = useLoaded(
    // Makes a single request: with a filter, finding entries in a long list may take many.
    () => api.answer<readonly Row[]>(`${path}/${of}`, { partner_id: partnerId, limit: SHOWN }),
    [api, path, of, partnerId],
  );
  return (
    <section aria-labelledby={of}>
      <div class="section-header">
        <h2 id={of}>Latest {of}</h2>
        <a href={`${programPath(of, program.id)}?partner_id=${partnerId}`}>All {of}</a>
      </div>
      <div class="card table-card">
        <WhenLoaded of={loading}>
          {({ data, meta }) =>
            data.length > 0 ? (
              <Table label={`Latest ${of}`} rows={data} keyOf={keyOf} columns={columns} />
            ) : (
              <p class="hint table-note">
                {meta?.next_cursor ? `None among the program's latest ${of}.` : `No ${of} yet.`}
              </p>
            )
          }
        </WhenLoaded>
      </div>
    </section>
  );
}
