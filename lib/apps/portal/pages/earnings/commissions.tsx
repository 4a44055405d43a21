import { moneyText } from '#lib/apps/web/format.ts';
import { chips } from '#lib/apps/web/lists/filters.tsx';
import { csvOfService, type List } from '#lib/apps/web/lists/list.ts';
import { ListPage } from '#lib/apps/web/lists/list-page.tsx';
import { useList } from '#lib/apps/web/lists/use-list.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import { CommissionStatus, kindTexts } from '#lib/apps/portal/commissions/commission-status.tsx';
import { type CurrentProgram, useProgram } from '#lib/apps/portal/current-program.ts';
import type { PortalCommission } from '#lib/wire/reports/portal-figures.ts';

const statuses = [
  ['', 'All'],
  ['in_review', 'In review'],
  ['pending', 'Pending'],
  ['approved', 'Ready'],
  ['paid', 'In a payout'],
  ['rejected', 'Rejected'],
  ['reversed', 'Taken back'],
] as const;

/** The list of the partner's commissions. */
const commissionList = (addressOf: CurrentProgram['addressOf']): List<PortalCommission> => ({
  name: 'commissions',
  title: 'Commissions',
  keyOf: ({ id }) => id,
  csv: csvOfService,
  filters: [chips('status', 'Status', statuses)],
  columns: [
    {
      title: 'For',
      cell: ({ id, kind, occurred_at: at }) => (
        <a class="commission-name" href={addressOf('commission', id)}>
          {kindTexts[kind]}, <Day at={at} />
        </a>
      ),
    },
    { title: 'Status', cell: (commission) => <CommissionStatus of={commission} /> },
    {
      title: 'Sale amount',
      isNumber: true,
      cell: ({ base_amount_cents: cents, currency }) =>
        cents === null ? <span class="muted">–</span> : <Money cents={cents} currency={currency} />,
    },
    {
      title: 'You get',
      isNumber: true,
      cell: ({ status: now, payable_cents: payable, deducted_cents: deducted, amount_cents: whole, currency }) => (
        <>
          <Money cents={now === 'rejected' ? 0 : payable} currency={currency} />
          {now === 'rejected' && <div class="muted">of {moneyText(whole, currency)}, rejected</div>}
          {now !== 'rejected' && deducted > 0 && (
            <div class="muted">
              of {moneyText(whole, currency)}, less {moneyText(deducted, currency)} for refunds
            </div>
          )}
        </>
      ),
    },
    { title: 'When', cell: (commission) => <When of={commission} addressOf={addressOf} /> },
  ],
  empty: (
    <Empty title="No commissions yet">
      <p>
        The first sale through one of <a href={addressOf('links')}>your links</a> or{' '}
        <a href={addressOf('codes')}>codes</a> makes one.
      </p>
    </Empty>
  ),
  noMatch: { title: 'None has this status', showAll: 'Show all' },
});

export function CommissionsPage() {
  const { program, api, path, addressOf } = useProgram();
  return (
    <ListPage
      of={useList(commissionList(addressOf), api, path)}
      programId={program.id}
      intro={`What you earned, one by one. Each waits ${program.terms_in_force.hold_period_days} days for refunds, and is then ready to be paid. Open one to see why you got it.`}
    />
  );
}

interface WhenProps extends Pick<CurrentProgram, 'addressOf'> {
  readonly of: PortalCommission;
}

/** The date that explains the commission's status. */
function When({ of, addressOf }: WhenProps) {
  const { status, by_hand: isByHand, hold_until: until, approved_at: approved, paid_at: paid, payout_id: id } = of;
  if (status === 'in_review') return <>When the brand has looked at it</>;
  if (status === 'pending' && isByHand) return <>When the brand has approved it</>;
  if (status === 'pending') {
    return (
      <>
        On hold until <Day at={until} />
      </>
    );
  }
  if (paid && id !== null) {
    return (
      <>
        <a href={addressOf('payout', id)}>Payout {id}</a>, <Day at={paid} />
      </>
    );
  }
  const since = approved ?? (status === 'approved' ? until : null);
  return since ? (
    <>
      Ready since <Day at={since} />
    </>
  ) : (
    <span class="muted">–</span>
  );
}
