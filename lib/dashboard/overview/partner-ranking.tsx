import { useProgram } from '#lib/dashboard/current-program.ts';
import { useLoaded } from '#lib/dashboard/hooks/use-loaded.ts';
import { loadAll } from '#lib/dashboard/load-all.ts';
import { programPath } from '#lib/dashboard/page-paths.ts';
import { partnerColumns } from '#lib/dashboard/partners/partner-columns.tsx';
import { Empty } from '#lib/dashboard/parts/empty.tsx';
import { Table } from '#lib/dashboard/parts/table.tsx';
import { WhenLoaded } from '#lib/dashboard/parts/when-loaded.tsx';
import { useSession } from '#lib/dashboard/session.ts';
import type { Partner } from '#lib/dashboard/wire.ts';

const SHOWN = 10;

/** The partners with the most sales. */
export function PartnerRanking() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const partners = useLoaded(() => loadAll<Partner>(api, `${path}/partners`), [api, path]);
  const all = programPath('partners', program.id);
  return (
    <section aria-labelledby="ranking">
      <div class="section-header">
        <h2 id="ranking">Partners, all time</h2>
        <a href={all}>All partners</a>
      </div>
      <div class="card table-card">
        <WhenLoaded of={partners}>
          {(loaded) =>
            loaded.length === 0 ? (
              <Empty title="No partners yet">
                <p>Partners bring the customers. Add the first one and give them a link.</p>
                <a class="button" href={all}>
                  Add partners
                </a>
              </Empty>
            ) : (
              <Table label="Partners, all time" columns={partnerColumns} rows={ranked(loaded)} keyOf={({ id }) => id} />
            )
          }
        </WhenLoaded>
      </div>
    </section>
  );
}

const ranked = (partners: readonly Partner[]): readonly Partner[] =>
  partners.toSorted((a, b) => b.sales - a.sales || b.leads - a.leads || b.clicks - a.clicks).slice(0, SHOWN);
