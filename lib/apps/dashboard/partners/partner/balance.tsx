import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { countOf } from '#lib/apps/web/format.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { balanceRows, type BalanceRow } from '#lib/apps/dashboard/partners/partner/balance-rows.ts';
import { PaidTo } from '#lib/apps/dashboard/partners/partner/paid-to.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { type Column, Table } from '#lib/apps/web/parts/table/table.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { dueDays, dueDayText } from '#lib/apps/dashboard/payouts/due/owed-days.ts';
import { Withheld } from '#lib/apps/dashboard/payouts/due/withheld.tsx';
import { HELD_BACK, notDueText } from '#lib/apps/dashboard/payouts/due/not-due.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';
import type { Owed } from '#lib/wire/earnings/payout.ts';

interface BalanceProps {
  readonly partnerId: string;
  /** The partner; undefined while it is loaded. */
  readonly partner?: Partner;
}

/** Shows what a partner is owed and when more becomes due, with a link to pay it. */
export function Balance({ partnerId, partner }: BalanceProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const owed = useLoaded(() => api.get<Owed>(`${path}/owed`, { partner_id: partnerId }), [api, path, partnerId]);
  return (
    <section class="card stack" aria-labelledby="balance">
      <h2 id="balance">Balance</h2>
      <WhenLoaded of={owed} what="Balance">
        {(loaded) => (
          <>
            <Amounts rows={balanceRows(loaded, partner)} />
            <Withheld owed={loaded} />
            <Coming owed={loaded} />
            <Pay owed={loaded} partnerId={partnerId} />
            {partner && <PaidTo partner={partner} />}
          </>
        )}
      </WhenLoaded>
    </section>
  );
}

type Amount = Exclude<keyof BalanceRow, 'currency'>;

const amount = (title: string, name: Amount): Column<BalanceRow> => ({
  title,
  isNumber: true,
  cell: ({ currency, [name]: cents }) => (cents === undefined ? '–' : <Money cents={cents} currency={currency} />),
});

function Amounts({ rows }: { readonly rows: readonly BalanceRow[] }) {
  const { program } = useProgram();
  if (rows.length === 0) return <p class="muted">Nothing is owed, and no payout was recorded yet.</p>;
  const isHeld = rows.some(({ held_cents: held }) => held > 0);
  const columns = [
    { title: 'Currency', cell: ({ currency }: BalanceRow) => currency },
    amount('Due now', 'due_now_cents'),
    amount('Approved', 'approved_cents'),
    ...(isHeld ? [amount('Held back', 'held_cents')] : []),
    amount('Pending', 'pending_cents'),
    amount('In payouts', 'paid_out_cents'),
  ];
  // Refunds may have reduced commissions that were already paid. The next payout then pays less than is approved.
  const isReduced = rows.some(({ due_now_cents: due, approved_cents: all }) => due < all);
  return (
    <>
      <Table label="Balance" rows={rows} keyOf={({ currency }) => currency} columns={columns} />
      {isHeld && <p class="hint">{HELD_BACK}</p>}
      {isReduced && <p class="hint">What is approved but not due {notDueText(program)}.</p>}
    </>
  );
}

const SHOWN = 3;

function Coming({ owed }: { readonly owed: Owed }) {
  const { api } = useSession();
  const { program } = useProgram();
  const coming = dueDays(owed).flatMap(({ on, amounts }) =>
    Object.entries(amounts).map(([currency, cents]) => ({ on, currency, cents })),
  );
  const isPending = Object.values(owed).some(({ pending_cents: pending }) => pending > 0);
  if (isPending && !program.auto_approve) {
    return <p class="hint">Pending commissions become due when someone approves them.</p>;
  }
  if (coming.length === 0) return null;
  return (
    <div>
      <p class="muted">Becomes due when holds end:</p>
      <ul class="plain-list">
        {coming.slice(0, SHOWN).map(({ on, currency, cents }) => (
          <li key={`${on} ${currency}`}>
            <Money cents={cents} currency={currency} /> on {dueDayText(on, api.today())}
          </li>
        ))}
        {coming.length > SHOWN && <li class="muted">and {countOf(coming.length - SHOWN, 'later amount')}</li>}
      </ul>
    </div>
  );
}

interface PayProps {
  readonly owed: Owed;
  readonly partnerId: string;
}

function Pay({ owed, partnerId }: PayProps) {
  const { isOwner } = useSession();
  const { program } = useProgram();
  if (!Object.values(owed).some(({ due_now_cents: due }) => due > 0)) return null;
  if (!isOwner) return <p class="hint">A workspace owner pays out.</p>;
  return (
    <p>
      <a class="button primary" href={`${programPath('newPayout', program.id)}?partner_id=${partnerId}`}>
        Pay this partner
      </a>
    </p>
  );
}
