import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import type { List } from '#lib/apps/web/lists/list.ts';
import { tableColumns } from '#lib/apps/web/lists/list-page.tsx';
import { Table } from '#lib/apps/web/parts/table/table.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

const SHOWN = 5;

interface LatestProps<Row> {
  readonly list: List<Row>;
  readonly page: 'customers' | 'commissions';
  readonly partnerId: string;
}

/** Shows the newest entries of a list that concern a partner, with a link to all of them. */
export function Latest<Row>({ list, page, partnerId }: LatestProps<Row>) {
  const { name: of, keyOf } = list;
  const { api } = useSession();
  const { program, path } = useProgram();
  const loading = useLoaded(
    // Only one request is sent: in a long list, finding enough entries of one partner could take many.
    () => api.answer<readonly Row[]>(`${path}/${of}`, { partner_id: partnerId, limit: SHOWN }),
    [api, path, of, partnerId],
  );
  return (
    <section aria-labelledby={of}>
      <div class="section-header">
        <h2 id={of}>Latest {of}</h2>
        <a href={`${programPath(page, program.id)}?partner_id=${partnerId}`}>All {of}</a>
      </div>
      <div class="card table-card">
        <WhenLoaded of={loading} what={list.title}>
          {({ data, meta }) =>
            data.length > 0 ? (
              <Table label={`Latest ${of}`} rows={data} keyOf={keyOf} columns={tableColumns(list, 'Partner')} />
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
