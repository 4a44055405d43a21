import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { changeText, countText } from '#lib/apps/web/format.ts';
import type { Loading } from '#lib/apps/web/hooks/use-loaded.ts';
import { amountOf, type BestPartners, rankChange } from '#lib/apps/dashboard/overview/best-partners.ts';
import { PartnerStatus } from '#lib/apps/dashboard/partners/partner-status.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Initials } from '#lib/apps/web/parts/figures/initials.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { type Column, Table } from '#lib/apps/web/parts/table/table.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { RankedPartner } from '#lib/wire/partners/partner.ts';

interface PartnerRankingProps {
  readonly best: Loading<BestPartners>;
  /** The period in words, such as `last 30 days`. */
  readonly period: string;
}

/** Lists the partners with the most revenue in the period. */
export function PartnerRanking({ best, period }: PartnerRankingProps) {
  const { program } = useProgram();
  const all = programPath('partners', program.id);
  return (
    <section aria-labelledby="ranking">
      <div class="section-header">
        <h2 id="ranking">
          Best partners <span class="muted">{period}</span>
        </h2>
        <a href={all}>All partners</a>
      </div>
      <div class="card table-card">
        <WhenLoaded of={best} what="Best partners">
          {({ partners, currency, note }) =>
            partners.length === 0 ? (
              <Empty title="No partners yet">
                <p>Partners bring the customers. Add the first one and give them a link.</p>
                <a class="button" href={all}>
                  Add partners
                </a>
              </Empty>
            ) : (
              <>
                <Table
                  label="Best partners"
                  columns={columnsFor(program.id, currency)}
                  rows={partners}
                  keyOf={({ id }) => id}
                />
                {note && <p class="hint table-note">{note}</p>}
              </>
            )
          }
        </WhenLoaded>
      </div>
    </section>
  );
}

const columnsFor = (programId: number, currency: string): readonly Column<RankedPartner>[] => [
  {
    title: 'Partner',
    cell: ({ id, name, email, status }) => (
      <div class="person">
        <Initials of={name} />
        <div>
          <a class="strong" href={programPath('partner', programId, id)}>
            {name}
          </a>{' '}
          {status !== 'active' && <PartnerStatus of={status} />}
          <div class="muted">{email}</div>
        </div>
      </div>
    ),
  },
  {
    title: 'Rank',
    isNumber: true,
    cell: (partner) => (
      <>
        {partner.rank ?? '–'}
        <div class="change">{rankChange(partner)}</div>
      </>
    ),
  },
  { title: 'Clicks', isNumber: true, cell: ({ clicks }) => countText(clicks) },
  { title: 'Leads', isNumber: true, cell: ({ leads }) => countText(leads) },
  { title: 'Sales', isNumber: true, cell: ({ sales }) => countText(sales) },
  {
    title: 'Revenue',
    isNumber: true,
    cell: (partner) => {
      const cents = amountOf(partner, 'revenue_cents', currency);
      const before = partner.previous && amountOf(partner.previous, 'revenue_cents', currency);
      return (
        <>
          <Money cents={cents} currency={currency} />
          {before !== undefined && before !== 0 && <div class="change">{changeText(cents, before)}</div>}
        </>
      );
    },
  },
  {
    title: 'Commission',
    isNumber: true,
    cell: (partner) => <Money cents={amountOf(partner, 'commission_cents', currency)} currency={currency} />,
  },
];
