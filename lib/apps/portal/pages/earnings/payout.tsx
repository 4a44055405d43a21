import { useRoute } from 'preact-iso';
import { countOf, moneysText } from '#lib/apps/web/format.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Fact, Facts } from '#lib/apps/web/parts/figures/facts.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import { Day, Minute } from '#lib/apps/web/parts/figures/time.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { CommissionStatus, kindTexts } from '#lib/apps/portal/commissions/commission-status.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { PayoutStatus } from '#lib/apps/portal/payouts/payout-status.tsx';
import type { PaidCommission, PortalPayout } from '#lib/wire/reports/portal-figures.ts';

export function PayoutPage() {
  const { api, path, addressOf } = useProgram();
  const { payout_id: id = '' } = useRoute().params;
  const payout = useLoaded(
    () => api.get<readonly PortalPayout[]>(`${path}/payouts`, { payout_id: id }),
    [api, path, id],
  );
  const all = <a href={addressOf('payouts')}>All payouts</a>;
  if (payout.state === 'ready' && payout.value.length === 0) {
    return (
      <Page title="There is no such payout">
        <div class="card">
          <Empty title={`No payout to you has the number ${id}`}>{all}</Empty>
        </div>
      </Page>
    );
  }
  return (
    <Page title={`Payout ${id}`} back={all}>
      <WhenLoaded of={payout}>
        {(parts) => (
          <div class="stack">
            <About parts={parts} />
            <Commissions id={id} parts={parts} />
          </div>
        )}
      </WhenLoaded>
    </Page>
  );
}

interface PartsProps {
  /** The parts of the payout; there is one per currency. */
  readonly parts: readonly PortalPayout[];
}

function About({ parts }: PartsProps) {
  const { addressOf } = useProgram();
  const { created_at: at, reference } = parts[0]!;
  return (
    <Facts title="The payout">
      <Fact name="Amount">
        {parts.map(({ currency, amount_cents: cents, commission_ids: ids }) => (
          <div key={currency}>
            <strong>
              <Money cents={cents} currency={currency} />
            </strong>{' '}
            for {countOf(ids.length, 'commission')}
          </div>
        ))}
      </Fact>
      <Fact name="Status">
        {parts.map((part) => (
          <div key={part.number}>
            {parts.length > 1 && <>{part.currency}: </>}
            <PayoutStatus of={part} />
          </div>
        ))}
      </Fact>
      <Fact name="Number">
        {parts.map(({ number }) => (
          <div key={number}>
            <span class="identifier">{number}</span> <a href={addressOf('statement', number)}>Statement</a>
          </div>
        ))}
      </Fact>
      <Fact name="Recorded">
        <Minute at={at} />
      </Fact>
      <Fact name="Reference">{reference ?? <span class="muted">None</span>}</Fact>
    </Facts>
  );
}

function Commissions({ id, parts }: PartsProps & { readonly id: string }) {
  const { api, path, addressOf } = useProgram();
  const pages = usePages<PaidCommission>(api, `${path}/commissions`, { payout_id: id });
  const columns: readonly Column<PaidCommission>[] = [
    {
      title: 'For',
      cell: ({ id: commissionId, kind, occurred_at: at }) => (
        <a class="commission-name" href={addressOf('commission', commissionId)}>
          {kindTexts[kind]}, <Day at={at} />
        </a>
      ),
    },
    { title: 'Status now', cell: (commission) => <CommissionStatus of={commission} /> },
    {
      title: 'Commission',
      isNumber: true,
      cell: ({ amount_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
    },
    {
      title: 'Deducted so far',
      isNumber: true,
      cell: ({ deducted_cents: cents, currency }) =>
        cents === 0 ? <span class="muted">–</span> : <Money cents={-cents} currency={currency} />,
    },
    { title: 'In this payout', isNumber: true, cell: (commission) => <Paid of={commission} /> },
  ];
  return (
    <section aria-labelledby="made-of">
      <div class="section-header first">
        <h2 id="made-of">What it is made of</h2>
      </div>
      <PagedTable
        label="Commissions of the payout"
        pages={pages}
        keyOf={({ id: commissionId }) => commissionId}
        columns={columns}
        empty={<Empty title="Its commissions come in a moment" />}
      />
      {pages.items && <Sum rows={pages.items} parts={parts} />}
    </section>
  );
}

const Paid = ({ of: { paid_in_payout_cents: cents, currency } }: { readonly of: PaidCommission }) => (
  <>
    <strong>
      <Money cents={cents} currency={currency} />
    </strong>
    {cents < 0 && <div class="muted">an earlier payout paid it before it was reduced</div>}
  </>
);

/** When all rows are loaded, shows that they add up to the paid amount. */
function Sum({ rows, parts }: PartsProps & { readonly rows: readonly PaidCommission[] }) {
  const count = parts.reduce((sum, { commission_ids: ids }) => sum + ids.length, 0);
  if (rows.length < count) {
    return (
      <p class="table-hint muted">
        {rows.length} of {countOf(count, 'commission')} are shown.
      </p>
    );
  }
  const sums = Object.fromEntries(
    parts.map(({ currency }) => [
      currency,
      rows.filter((row) => row.currency === currency).reduce((sum, { paid_in_payout_cents: cents }) => sum + cents, 0),
    ]),
  );
  return (
    <p class="table-hint" role="status">
      Together: <strong>{moneysText(sums)}</strong>
    </p>
  );
}
