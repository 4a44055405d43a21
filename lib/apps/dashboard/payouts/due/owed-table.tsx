import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Money, Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import { type Column, Table } from '#lib/apps/web/parts/table/table.tsx';
import { dueDays, dueDayText, owedAmounts } from '#lib/apps/dashboard/payouts/due/owed-days.ts';
import { Withheld } from '#lib/apps/dashboard/payouts/due/withheld.tsx';
import { HELD_BACK, notDueText } from '#lib/apps/dashboard/payouts/due/not-due.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Owed, OwedAmounts } from '#lib/wire/earnings/payout.ts';

type Row = OwedAmounts & { readonly currency: string };

const amount = (title: string, of: (row: Row) => number): Column<Row> => ({
  title,
  isNumber: true,
  cell: (row) => <Money cents={of(row)} currency={row.currency} />,
});

/** Shows what all partners are owed in each currency, and when pending amounts become due. */
export function OwedTable({ owed }: { readonly owed: Owed }) {
  const { program } = useProgram();
  const rows = Object.entries(owed).map(([currency, amounts]): Row => ({ ...amounts, currency }));
  if (rows.length === 0) {
    return (
      <Empty title="Nothing is owed">
        <p>The first sale that a partner brings creates a commission.</p>
      </Empty>
    );
  }
  const isHeld = Object.keys(owedAmounts(owed, 'held_cents')).length > 0;
  const makesUp = rows.some((row) => row.due_now_cents < row.approved_cents);
  return (
    <>
      <Table
        label="Owed"
        rows={rows}
        keyOf={({ currency }) => currency}
        columns={[
          { title: 'Currency', cell: ({ currency }) => <span class="strong">{currency}</span> },
          amount('Due now', (row) => row.due_now_cents),
          amount('Approved', (row) => row.approved_cents),
          ...(isHeld ? [amount('Held back', (row) => row.held_cents)] : []),
          amount('Pending', (row) => row.pending_cents),
        ]}
      />
      <p class="hint table-note">
        Due now is what a payout of this moment holds. Pending commissions wait for refunds, or for an approval.
        {isHeld && ` ${HELD_BACK}`}
        {makesUp && ` What is approved but not due ${notDueText(program)}.`}
      </p>
      <Withheld owed={owed} isTableNote />
      <DueDays owed={owed} />
    </>
  );
}

/** Lists the days on which pending amounts become due. */
export function DueDays({ owed }: { readonly owed: Owed }) {
  const { api } = useSession();
  const { program } = useProgram();
  const days = dueDays(owed);
  if (days.length === 0) {
    const isPending = Object.keys(owedAmounts(owed, 'pending_cents')).length > 0;
    return isPending && !program.auto_approve ? (
      <p class="hint table-note">Pending commissions become due when someone approves them.</p>
    ) : null;
  }
  return (
    <details class="day-table" open={days.length <= MOST_SHOWN}>
      <summary>When pending amounts become due</summary>
      <Table
        label="Becomes due"
        rows={days}
        keyOf={({ on }) => on}
        columns={[
          { title: 'Day', cell: ({ on }) => <time dateTime={on}>{dueDayText(on, api.today())}</time> },
          { title: 'Amount', isNumber: true, cell: ({ amounts }) => <Moneys amounts={amounts} /> },
        ]}
      />
    </details>
  );
}

/** A list with more rows is closed at first: only its title is shown. */
const MOST_SHOWN = 3;
