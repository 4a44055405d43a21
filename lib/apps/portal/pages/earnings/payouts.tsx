import { countText } from '#lib/apps/web/format.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import type { List } from '#lib/apps/web/lists/list.ts';
import { ListPage } from '#lib/apps/web/lists/list-page.tsx';
import { useList } from '#lib/apps/web/lists/use-list.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { Minute } from '#lib/apps/web/parts/figures/time.tsx';
import { type CurrentProgram, useProgram } from '#lib/apps/portal/current-program.ts';
import { MoneyCard } from '#lib/apps/portal/overview/money.tsx';
import { PayoutStatus } from '#lib/apps/portal/payouts/payout-status.tsx';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import type { PortalBalances, PortalPayout } from '#lib/wire/reports/portal-figures.ts';

const payoutList = (addressOf: CurrentProgram['addressOf']): List<PortalPayout> => ({
  name: 'payouts',
  title: 'Payouts',
  keyOf: ({ number }) => number,
  columns: [
    {
      title: 'Payout',
      cell: ({ id, number }) => (
        <>
          <a href={addressOf('payout', id)}>Payout&nbsp;{id}</a>
          <div class="identifier whole muted">{number}</div>
        </>
      ),
    },
    { title: 'Recorded', cell: ({ created_at: at }) => <Minute at={at} /> },
    { title: 'Status', cell: (payout) => <PayoutStatus of={payout} /> },
    {
      title: 'Amount',
      isNumber: true,
      cell: ({ amount_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
    },
    { title: 'Commissions', isNumber: true, cell: ({ commission_ids: ids }) => countText(ids.length) },
    { title: 'Reference', cell: ({ reference }) => reference ?? <span class="muted">None</span> },
  ],
  empty: (
    <Empty title="No payouts yet">
      <p>What is ready to be paid comes with the brand's next payout.</p>
    </Empty>
  ),
});

/** Lists what the brand has paid, and shows what is still due. */
export function PayoutsPage() {
  const { program, api, path, mayChange, addressOf } = useProgram();
  const balances = useLoaded(() => api.get<PortalBalances>(`${path}/balance`), [api, path]);
  return (
    <>
      <ListPage
        of={useList(payoutList(addressOf), api, path)}
        intro={`${program.name} records a payout, then sends the money to your payout details. The reference appears on the transfer. Open a payout to see its commissions.`}
        actions={
          mayChange && (
            <a class="button" href={portalPaths.payoutDetails}>
              Payout details
            </a>
          )
        }
      />
      <MoneyCard balances={balances} />
    </>
  );
}
