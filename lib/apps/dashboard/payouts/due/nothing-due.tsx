import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { moneysText } from '#lib/apps/web/format.ts';
import type { Loading } from '#lib/apps/web/hooks/use-loaded.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { dueDays, dueDayText, owedAmounts } from '#lib/apps/dashboard/payouts/due/owed-days.ts';
import { notDueText } from '#lib/apps/dashboard/payouts/due/not-due.ts';
import { DueDays } from '#lib/apps/dashboard/payouts/due/owed-table.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Owed } from '#lib/wire/earnings/payout.ts';
import type { Program } from '#lib/wire/programs/program.ts';

interface NothingDueProps {
  /** True if no partner is due anything; false if that is only known of the selected partners. */
  readonly isAll: boolean;
  readonly owed: Loading<Owed>;
}

/** Says why nothing is due, and when that will change. */
export function NothingDue({ isAll, owed }: NothingDueProps) {
  const { api } = useSession();
  const { program } = useProgram();
  return (
    <div class="card table-card">
      <Empty title={isAll ? 'Nothing is due now' : 'Nothing of this choice is due now'}>
        <WhenLoaded of={owed}>{(loaded) => <p>{nextText(loaded, api.today(), program)}</p>}</WhenLoaded>
        <a href={programPath('commissions', program.id)}>See the commissions</a>
      </Empty>
      {owed.state === 'ready' && <DueDays owed={owed.value} />}
    </div>
  );
}

function nextText(owed: Owed, today: string, program: Program): string {
  const pending = moneysText(owedAmounts(owed, 'pending_cents'));
  if (pending === '') return 'No commission is pending either.';
  const next = dueDays(owed)[0];
  if (!next) {
    return program.auto_approve
      ? `Pending: ${pending}. It ${notDueText(program)}.`
      : `Pending: ${pending}. It becomes due when someone approves it.`;
  }
  return `Pending: ${pending}. ${moneysText(next.amounts)} becomes due on ${dueDayText(next.on, today)}.`;
}
