import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import type { Loading } from '#lib/apps/web/hooks/use-loaded.ts';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { MoneyIn } from '#lib/apps/dashboard/overview/money-in.tsx';
import { dueDays, dueDayText, owedAmounts } from '#lib/apps/dashboard/payouts/due/owed-days.ts';
import { Withheld } from '#lib/apps/dashboard/payouts/due/withheld.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Owed } from '#lib/wire/earnings/payout.ts';

interface OwedCardProps {
  readonly owed: Loading<Owed>;
  readonly currency: string;
}

export function OwedCard({ owed, currency }: OwedCardProps) {
  const { isOwner } = useSession();
  const { program } = useProgram();
  return (
    <section aria-labelledby="owed">
      <div class="section-header">
        <h2 id="owed">Owed to partners</h2>
        <a href={programPath('payouts', program.id)}>All payouts</a>
      </div>
      <div class="card owed">
        <WhenLoaded of={owed} what="Owed to partners">
          {(loaded) => (
            <>
              <dl class="owed-amounts">
                <div>
                  <dt>Due now</dt>
                  <dd class="strong">
                    <MoneyIn amounts={owedAmounts(loaded, 'due_now_cents')} currency={currency} />
                  </dd>
                </div>
                <HeldBack owed={loaded} currency={currency} />
                <div>
                  <dt>Pending</dt>
                  <dd>
                    <MoneyIn amounts={owedAmounts(loaded, 'pending_cents')} currency={currency} />
                  </dd>
                </div>
                <NextDue owed={loaded} currency={currency} />
              </dl>
              {isOwner && Object.keys(owedAmounts(loaded, 'due_now_cents')).length > 0 && (
                <a class="button" href={programPath('newPayout', program.id)}>
                  Pay out
                </a>
              )}
              <Withheld owed={loaded} />
            </>
          )}
        </WhenLoaded>
      </div>
    </section>
  );
}

interface PartProps {
  readonly owed: Owed;
  readonly currency: string;
}

function HeldBack({ owed, currency }: PartProps) {
  const amounts = owedAmounts(owed, 'held_cents');
  if (Object.keys(amounts).length === 0) return null;
  return (
    <div>
      <dt>Held back</dt>
      <dd>
        <MoneyIn amounts={amounts} currency={currency} />
      </dd>
    </div>
  );
}

function NextDue({ owed, currency }: PartProps) {
  const { api } = useSession();
  const { program } = useProgram();
  const days = dueDays(owed);
  const next = days[0];
  if (!next) {
    const isPending = Object.keys(owedAmounts(owed, 'pending_cents')).length > 0;
    return isPending && !program.auto_approve ? (
      <div>
        <dt>Becomes due</dt>
        <dd>When someone approves it</dd>
      </div>
    ) : null;
  }
  const last = days.at(-1)!;
  return (
    <div>
      <dt>Becomes due {dueDayText(next.on, api.today())}</dt>
      <dd>
        <MoneyIn amounts={next.amounts} currency={currency} />
      </dd>
      {last !== next && <dd class="hint">All of it by {dueDayText(last.on, api.today())}</dd>}
    </div>
  );
}
