import { dateText, moneysText } from '#lib/apps/web/format.ts';
import type { Loading } from '#lib/apps/web/hooks/use-loaded.ts';
import { Money } from '#lib/apps/web/parts/money.tsx';
import { type Column, Table } from '#lib/apps/web/parts/table.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/when-loaded.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import type { PortalBalances } from '#lib/wire/portal/figures.ts';

type Row = PortalBalances[string] & { readonly currency: string };

type Amount = 'pending_cents' | 'approved_cents' | 'held_cents' | 'paid_cents';

const amount = (title: string, name: Amount): Column<Row> => ({
  title,
  isNumber: true,
  cell: ({ currency, [name]: cents }) => <Money cents={cents} currency={currency} />,
});

/** What the partner has to get, what was paid, and what comes when. */
export const MoneyCard = ({ balances }: { readonly balances: Loading<PortalBalances> }) => {
  const { addressOf } = useProgram();
  return (
    <section aria-labelledby="money">
      <div class="section-header">
        <h2 id="money">Your money</h2>
        <a href={addressOf('commissions')}>All commissions</a>
      </div>
      <div class="card table-card">
        <WhenLoaded of={balances}>{(loaded) => <Amounts balances={loaded} />}</WhenLoaded>
      </div>
    </section>
  );
};

function Amounts({ balances }: { readonly balances: PortalBalances }) {
  const rows = Object.entries(balances).map(([currency, balance]): Row => ({ currency, ...balance }));
  if (rows.length === 0) return <p class="table-hint muted">You have not earned anything yet.</p>;
  const isHeld = rows.some(({ held_cents: held }) => held !== 0);
  const columns: readonly Column<Row>[] = [
    { title: 'Currency', cell: ({ currency }) => currency },
    amount('Pending', 'pending_cents'),
    amount('Ready', 'approved_cents'),
    ...(isHeld ? [amount('Held back', 'held_cents')] : []),
    amount('Paid so far', 'paid_cents'),
  ];
  return (
    <>
      <Table label="Your money" rows={rows} keyOf={({ currency }) => currency} columns={columns} />
      <div class="table-note stack">
        <Withheld rows={rows} />
        <Coming rows={rows} />
        {isHeld && (
          <p class="hint">
            Held back from payouts for 24 hours, because your payout details were changed. Did you not change them?
            Write to the brand at once.
          </p>
        )}
      </div>
    </>
  );
}

/** Why the next payout is less than what is ready. */
function Withheld({ rows }: { readonly rows: readonly Row[] }) {
  const withheld = rows.filter(({ withheld_cents: cents }) => cents !== 0);
  if (withheld.length === 0) return null;
  const amounts = Object.fromEntries(withheld.map(({ currency, withheld_cents: cents }) => [currency, cents]));
  return (
    <p class="hint">
      {moneysText(amounts)} of what you earn makes up for refunds of commissions that were paid before.
    </p>
  );
}

const SHOWN = 5;

/** When holds end. Programs that do not approve by themselves tell no days. */
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
