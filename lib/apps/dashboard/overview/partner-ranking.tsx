import type { Answer, Api } from '#lib/apps/dashboard/api.ts';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import type { Loading } from '#lib/apps/dashboard/hooks/use-loaded.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { partnerColumns } from '#lib/apps/dashboard/partners/partner-columns.tsx';
import { Empty } from '#lib/apps/dashboard/parts/empty.tsx';
import { Table } from '#lib/apps/dashboard/parts/table.tsx';
import { WhenLoaded } from '#lib/apps/dashboard/parts/when-loaded.tsx';
import type { Partner } from '#lib/wire/partner.ts';

const SHOWN = 10;
/** A program may have any number of partners; those of one page are compared. */
const COMPARED = 100;

type PartnersPage = Answer<readonly Partner[]>;

/** Those that are compared. @throws ApiError */
export const loadPartners = (api: Api, path: string): Promise<PartnersPage> =>
  api.answer(`${path}/partners`, { limit: COMPARED });

interface PartnerRankingProps {
  readonly partners: Loading<PartnersPage>;
}

/** The partners with the most sales. */
export function PartnerRanking({ partners }: PartnerRankingProps) {
  const { program } = useProgram();
  const all = programPath('partners', program.id);
  return (
    <section aria-labelledby="ranking">
      <div class="section-header">
        <h2 id="ranking">Partners, all time</h2>
        <a href={all}>All partners</a>
      </div>
      <div class="card table-card">
        <WhenLoaded of={partners}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <Empty title="No partners yet">
                <p>Partners bring the customers. Add the first one and give them a link.</p>
                <a class="button" href={all}>
                  Add partners
                </a>
              </Empty>
            ) : (
              <>
                <Table label="Partners, all time" columns={partnerColumns} rows={ranked(data)} keyOf={({ id }) => id} />
                {meta?.next_cursor && <p class="hint table-note">The best of your first {COMPARED} partners.</p>}
              </>
            )
          }
        </WhenLoaded>
      </div>
    </section>
  );
}

const ranked = (partners: readonly Partner[]): readonly Partner[] =>
  partners.toSorted((a, b) => b.sales - a.sales || b.leads - a.leads || b.clicks - a.clicks).slice(0, SHOWN);
