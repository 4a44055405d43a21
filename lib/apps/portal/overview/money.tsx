import { useLocation } from 'preact-iso';
import { dateText, moneysText, moneyText } from '#lib/apps/web/format.ts';
import { type Loading, useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { type Column, Table } from '#lib/apps/web/parts/table/table.tsx';
import { Minute } from '#lib/apps/web/parts/figures/time.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { NoDetails } from '#lib/apps/portal/payout-details/no-details.tsx';
import { holdEnd } from '#lib/apps/portal/payout-details/hold-end.ts';
import { type NextPayout, nextPayoutOf } from '#lib/apps/portal/overview/next-payout.ts';
import { useSession } from '#lib/apps/portal/session.ts';
import { partnerPath } from '#lib/apps/portal/static/page-paths.ts';
import type { PortalBalances } from '#lib/wire/reports/portal-figures.ts';
import type { PayoutDetails } from '#lib/wire/partners/portal-payout-details.ts';

type Row = PortalBalances[string] & NextPayout & { readonly currency: string };

type Amount = 'pending_cents' | 'in_review_cents' | 'ready_cents' | 'held_back_cents';

const amount = (title: string, name: Amount): Column<Row> => ({
  title,
  isNumber: true,
  cell: ({ currency, [name]: cents }) => <Money cents={cents} currency={currency} />,
});

/** Shows what the partner is due, has been paid, and will be due on which dates. */
export const MoneyCard = ({ balances }: { readonly balances: Loading<PortalBalances> }) => {
  const { addressOf } = useProgram();
  return (
    <section aria-labelledby="money">
      <div class="section-header">
        <h2 id="money">Your money</h2>
        <a href={addressOf('commissions')}>All commissions</a>
      </div>
      <div class="card table-card">
        <WhenLoaded of={balances} what="Your money">
          {(loaded) => <Amounts balances={loaded} />}
        </WhenLoaded>
      </div>
    </section>
  );
};

function Amounts({ balances }: { readonly balances: PortalBalances }) {
  const { program, addressOf } = useProgram();
  const { path } = useLocation();
  const payouts = partnerPath('payouts', program.id);
  const rows = Object.entries(balances).map(([currency, balance]): Row => ({
    currency,
    ...balance,
    ...nextPayoutOf(balance),
  }));
  if (rows.length === 0) {
    return (
      <div class="table-note stack">
        <p class="muted">You have not earned anything yet.</p>
        <Planned rows={rows} />
      </div>
    );
  }
  const isHeld = rows.some(({ held_back_cents: held }) => held !== 0);
  const columns: readonly Column<Row>[] = [
    { title: 'Currency', cell: ({ currency }) => currency },
    amount('Pending', 'pending_cents'),
    amount('In review', 'in_review_cents'),
    amount('Ready', 'ready_cents'),
    amount('Held back', 'held_back_cents'),
    {
      title: 'Paid so far',
      isNumber: true,
      cell: (row) => <Paid of={row} address={path === payouts ? undefined : addressOf('payouts')} />,
    },
  ];
  return (
    <>
      <Table label="Your money" rows={rows} keyOf={({ currency }) => currency} columns={columns} />
      <div class="table-note stack">
        <Withheld rows={rows} />
        <Coming rows={rows} />
        <Planned rows={rows} />
        <DetailsNote isHeld={isHeld} />
      </div>
    </>
  );
}

interface PaidProps {
  readonly of: Row;
  /** The address of the list of payouts. Undefined on the page of that list. */
  readonly address: string | undefined;
}

/** The amount that the brand has marked as paid, and the amount in payouts that it has not. */
const Paid = ({ of: { currency, paid_cents: inPayouts, on_the_way_cents: onTheWay }, address }: PaidProps) => (
  <>
    <Money cents={inPayouts - onTheWay} currency={currency} />
    {onTheWay > 0 && (
      <div class="muted">
        + {moneyText(onTheWay, currency)} {address === undefined ? 'on the way' : <a href={address}>on the way</a>}
      </div>
    )}
  </>
);

/**
 * Whether payout details are missing, and how long their change holds payouts. An owner who views the page sees neither,
 * because payout details are private to the partner.
 */
function DetailsNote({ isHeld }: { readonly isHeld: boolean }) {
  const { api } = useSession();
  const { isOwnersView } = useProgram();
  const details = useLoaded(
    () => (isOwnersView ? Promise.resolve(undefined) : api.get<PayoutDetails | null>('/payout-details')),
    [api, isOwnersView],
  );
  const known = details.state === 'ready' ? details.value : undefined;
  const end = known ? holdEnd(known.updated_at) : '';
  // If the details were changed long ago, the e-mail address was changed, and the end of that hold is not known here.
  const until = end > api.now() ? end : undefined;
  return (
    <>
      {isHeld && (
        <p class="hint">
          Held back from payouts {until ? <>until {<Minute at={until} />}</> : 'for 24 hours'}, because your payout
          details or e-mail address were changed. Did you not change them? Write to the brand at once.
        </p>
      )}
      {known === null && <NoDetails />}
    </>
  );
}

/** Explains why a payout pays less than what is approved. */
function Withheld({ rows }: { readonly rows: readonly Row[] }) {
  const now = amountsOf(rows, 'taken_now_cents');
  const later = amountsOf(rows, 'taken_later_cents');
  if (!now && !later) return null;
  return (
    <p class="hint">
      Sales that you were already paid for were refunded, or the program deducts an amount.{' '}
      {now && `${now} of what was approved since makes up for that, and is not counted above.`}{' '}
      {later && `${later} ${now ? 'more ' : ''}will be taken off what you earn next.`}
    </p>
  );
}

/** Formats amounts of one kind in all currencies. @returns an empty text if all are zero */
function amountsOf(rows: readonly Row[], name: 'taken_now_cents' | 'taken_later_cents'): string {
  const some = rows.filter((row) => row[name] !== 0);
  return moneysText(Object.fromEntries(some.map((row) => [row.currency, row[name]])));
}

/**
 * Shows what the next planned payout would contain. The brand must record the payout: nothing is paid automatically.
 */
function Planned({ rows }: { readonly rows: readonly Row[] }) {
  const { program } = useProgram();
  const { next_payout_on: on, minimum_payout_cents: minimum, currency } = program;
  if (on === null) return null;
  const planned = rows.filter((row) => row.next_payout !== null && row.next_payout.amount_cents > 0);
  const sums = moneysText(Object.fromEntries(planned.map((row) => [row.currency, row.next_payout!.amount_cents])));
  const wait = minimum > 0 ? ` Less than ${moneyText(minimum, currency)} waits for a later payout.` : '';
  return (
    <p>
      The brand plans its next payout for {dateText(on)}.
      {planned.length > 0 && ` It would bring you ${sums}, if nothing changes until then.`}
      {planned.length === 0 && rows.length > 0 && ` As things stand, it would bring you nothing.${wait}`}
    </p>
  );
}

const SHOWN = 5;

/** Shows when hold periods end and amounts become due. Without automatic approval, there are no dates. */
function Coming({ rows }: { readonly rows: readonly Row[] }) {
  const { program } = useProgram();
  const coming = rows
    .flatMap(({ currency, next }) => next.map(({ on, amount_cents: cents }) => ({ on, currency, cents })))
    .toSorted((a, b) => a.on.localeCompare(b.on));
  const isPending = rows.some(({ pending_cents: pending }) => pending !== 0);
  if (coming.length === 0) {
    return (
      <p class="hint">
        {isPending
          ? 'The brand approves what is pending, and then pays it.'
          : `What you earn waits ${program.terms_in_force.hold_period_days} days for refunds, and is then ready to be paid.`}
      </p>
    );
  }
  return (
    <div>
      <p class="muted">Becomes ready:</p>
      <ul class="plain-list">
        {coming.slice(0, SHOWN).map(({ on, currency, cents }) => (
          <li key={`${on} ${currency}`}>
            <Money cents={cents} currency={currency} /> on {dateText(on)}
          </li>
        ))}
        {coming.length > SHOWN && <li class="muted">and more until {dateText(coming.at(-1)!.on)}</li>}
      </ul>
    </div>
  );
}
