import { useRoute } from 'preact-iso';
import { CommissionSource } from '#lib/apps/dashboard/commissions/commission-source.tsx';
import { CommissionStatusBadge, payoutOf } from '#lib/apps/dashboard/commissions/commission-status-badge.tsx';
import { PartnerLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { Unknown } from '#lib/apps/dashboard/parts/unknown.tsx';
import { Destination, StatusOfLine } from '#lib/apps/dashboard/payouts/lines/line-columns.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { Fact, Facts } from '#lib/apps/web/parts/figures/facts.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { Day, Time } from '#lib/apps/web/parts/figures/time.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import type { CommissionInLine, PayoutLine } from '#lib/wire/earnings/payout-line.ts';

/** Shows a line of a payout, with the commissions that it pays. */
export function PayoutLinePage() {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const { number = '' } = useRoute().params;
  // A line's number is the payout's id, a hyphen, and the line's id within the payout.
  const [payoutId = '', ...line] = number.split('-');
  const own = `${path}/payouts/${encodeURIComponent(payoutId)}/lines/${encodeURIComponent(line.join('-'))}`;
  const loading = useLoaded(() => api.get<PayoutLine>(own), [api, own]);
  if (loading.error?.status === 404) {
    return (
      <Unknown
        title="There is no such payout line"
        name=""
        ways={<a href={programPath('payouts', program.id)}>All payouts</a>}
      >
        The address may be mistyped, or the payout belongs to another program.
      </Unknown>
    );
  }
  return (
    <Page
      title={`Payout line ${number}`}
      back={<a href={programPath('payout', program.id, payoutId)}>Payout {payoutId}</a>}
      actions={
        isOwner && (
          <a class="button" href={programPath('statement', program.id, number)}>
            Statement
          </a>
        )
      }
    >
      <WhenLoaded of={loading}>{(loaded) => <LineFacts of={loaded} />}</WhenLoaded>
      <Commissions path={`${own}/commissions`} payoutId={Number(payoutId)} />
    </Page>
  );
}

const LineFacts = ({ of }: { readonly of: PayoutLine }) => (
  <Facts title="About this line">
    <Fact name="Partner">
      <PartnerLink id={of.partner_id} name={of.partner_name} />
    </Fact>
    <Fact name="Amount">
      <strong>
        <Money cents={of.amount_cents} currency={of.currency} />
      </strong>
    </Fact>
    <Fact name="Status">
      <StatusOfLine of={of} />
    </Fact>
    <Fact name="Paid to">
      <Destination of={of} />
    </Fact>
    <Fact name="Recorded">
      <Time at={of.recorded_at} />
    </Fact>
  </Facts>
);

function Commissions({ path, payoutId }: { readonly path: string; readonly payoutId: number }) {
  const { api } = useSession();
  const { program } = useProgram();
  const pages = usePages<CommissionInLine>(api, path);
  return (
    <section aria-labelledby="commissions">
      <div class="section-header">
        <h2 id="commissions">What it pays</h2>
      </div>
      <PagedTable
        label="Commissions of the line"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          { title: 'For', cell: (commission) => <CommissionSource commission={commission} programId={program.id} /> },
          { title: 'Date', cell: ({ occurred_at: at }) => <Day at={at} /> },
          {
            title: 'Status now',
            cell: (commission) => (
              <>
                <CommissionStatusBadge commission={commission} />
                {commission.payout_id !== null && commission.payout_id !== payoutId && (
                  <div class="muted">in {payoutOf(commission)}</div>
                )}
              </>
            ),
          },
          {
            title: 'Commission',
            isNumber: true,
            cell: ({ payable_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
          },
          {
            title: 'In this line',
            isNumber: true,
            cell: ({ in_line_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
          },
        ]}
        empty={<Empty title="Its commissions have been lost" />}
      />
    </section>
  );
}
