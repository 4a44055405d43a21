import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { FrozenPayouts, usePayoutsFrozen } from '#lib/apps/dashboard/payouts/frozen-payouts.tsx';
import { HeldForReview } from '#lib/apps/dashboard/payouts/due/held-for-review.tsx';
import { OwedTable } from '#lib/apps/dashboard/payouts/due/owed-table.tsx';
import { payoutColumns } from '#lib/apps/dashboard/payouts/payout-columns.tsx';
import { UnfinishedPayout } from '#lib/apps/dashboard/payouts/unfinished-payout.tsx';
import { useRecorder } from '#lib/apps/dashboard/payouts/use-recorder.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { pagePaths, programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { ListedPayout, Owed } from '#lib/wire/earnings/payout.ts';

export function PayoutsPage() {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const owed = useLoaded(() => api.get<Owed>(`${path}/owed`), [api, path]);
  const pages = usePages<ListedPayout>(api, `${path}/payouts`);
  const isFrozen = usePayoutsFrozen();
  const recorderOf = useRecorder();
  const unfinished = pages.items?.find(({ status }) => status === 'open');
  const reload = async () => {
    await Promise.all([owed.reload(), pages.reload()]);
  };
  return (
    <Page
      title="Payouts"
      intro="What your partners are owed, and what was paid out. A payout is recorded here; you send the money through your bank or processor."
      actions={
        isOwner ? (
          <a class="button primary" href={programPath('newPayout', program.id)}>
            Pay out
          </a>
        ) : (
          <p class="hint">A workspace owner pays out.</p>
        )
      }
    >
      {isFrozen && <FrozenPayouts />}
      {unfinished && <UnfinishedPayout payout={unfinished} onFinished={reload} />}
      <section aria-labelledby="owed">
        <div class="section-header first">
          <h2 id="owed">Owed</h2>
          {!isOwner && <a href={programPath('newPayout', program.id)}>Who gets what</a>}
        </div>
        <div class="card table-card">
          <WhenLoaded of={owed} what="Owed to partners">
            {(loaded) => <OwedTable owed={loaded} />}
          </WhenLoaded>
        </div>
        <HeldForReview />
        {isOwner && !isFrozen && (
          <p class="held-for-review hint">
            If something looks wrong, <a href={`${pagePaths.members}#freeze`}>freeze all payouts</a> under Members.
          </p>
        )}
      </section>
      <section aria-labelledby="payouts">
        <div class="section-header">
          <h2 id="payouts">All payouts</h2>
        </div>
        <PagedTable
          label="Payouts"
          pages={pages}
          keyOf={({ id }) => id}
          columns={payoutColumns(program.id, recorderOf)}
          empty={
            <Empty title="No payouts yet">
              <p>Each payout lists what every partner gets, as a file for your bank too.</p>
            </Empty>
          }
        />
      </section>
    </Page>
  );
}
