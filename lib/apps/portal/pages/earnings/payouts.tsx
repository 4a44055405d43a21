import { countOf } from '#lib/apps/web/format.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { type CurrentProgram, useProgram } from '#lib/apps/portal/current-program.ts';
import { MoneyCard } from '#lib/apps/portal/overview/money.tsx';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import type { PortalBalances, PortalPayout } from '#lib/wire/reports/portal-figures.ts';

const columnsWith = (addressOf: CurrentProgram['addressOf']): readonly Column<PortalPayout>[] => [
  { title: 'Payout', cell: ({ id }) => <a href={addressOf('payout', id)}>Payout {id}</a> },
  { title: 'Made', cell: ({ created_at: at }) => <Time at={at} /> },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
  },
  { title: 'For', isNumber: true, cell: ({ commission_ids: ids }) => countOf(ids.length, 'commission') },
  { title: 'Reference', cell: ({ reference }) => reference ?? <span class="muted">None</span> },
];

/** Past payouts of the brand, and the amounts still due. */
export function PayoutsPage() {
  const { program, api, path, mayChange, addressOf } = useProgram();
  const balances = useLoaded(() => api.get<PortalBalances>(`${path}/balance`), [api, path]);
  const pages = usePages<PortalPayout>(api, `${path}/payouts`);
  return (
    <Page
      title="Payouts"
      intro={`${program.name} sends the money itself, to your payout details. The reference is what stands on the transfer. Open a payout to see what it is made of.`}
      actions={
        mayChange && (
          <a class="button" href={portalPaths.payoutDetails}>
            Payout details
          </a>
        )
      }
    >
      <PagedTable
        label="Payouts"
        pages={pages}
        keyOf={({ id, currency }) => `${id} ${currency}`}
        columns={columnsWith(addressOf)}
        empty={
          <Empty title="No payouts yet">
            <p>What is ready to be paid comes with the brand's next payout.</p>
          </Empty>
        }
      />
      <MoneyCard balances={balances} />
    </Page>
  );
}
