import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { countOf } from '#lib/apps/web/format.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { ExportButton } from '#lib/apps/web/parts/table/export-button.tsx';
import { Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { DayOfUtc, Minute } from '#lib/apps/web/parts/figures/time.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { bankText, partnerCount } from '#lib/apps/dashboard/payouts/payout-text.ts';
import { PayoutFiles } from '#lib/apps/dashboard/payouts/files/payout-files.tsx';
import { PayoutLines } from '#lib/apps/dashboard/payouts/lines/payout-lines.tsx';
import { lineStatuses } from '#lib/apps/dashboard/payouts/lines/line-changes.ts';
import { StatusTotals } from '#lib/apps/dashboard/payouts/lines/status-totals.tsx';
import { PayoutReference } from '#lib/apps/dashboard/payouts/payout-reference.tsx';
import { PayoutStatusBadge } from '#lib/apps/dashboard/payouts/payout-status-badge.tsx';
import { Unknown } from '#lib/apps/dashboard/parts/unknown.tsx';
import { UnfinishedPayout } from '#lib/apps/dashboard/payouts/unfinished-payout.tsx';
import { useRecorder } from '#lib/apps/dashboard/payouts/use-recorder.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Payout } from '#lib/wire/earnings/payout.ts';

export function PayoutPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const { payout_id: id = '' } = useRoute().params;
  const payout = useLoaded(() => api.get<Payout>(`${path}/payouts/${encodeURIComponent(id)}`), [api, path, id]);
  if (payout.error?.status === 404) {
    return (
      <Unknown
        title="There is no such payout"
        name=""
        ways={<a href={programPath('payouts', program.id)}>All payouts</a>}
      >
        The address may be mistyped, or the payout belongs to another program.
      </Unknown>
    );
  }
  return (
    <Page title={`Payout ${id}`} back={<a href={programPath('payouts', program.id)}>All payouts</a>}>
      <WhenLoaded of={payout}>{(loaded) => <PayoutDetails payout={loaded} reload={payout.reload} />}</WhenLoaded>
    </Page>
  );
}

interface PayoutDetailsProps {
  readonly payout: Payout;
  readonly reload: () => Promise<void>;
}

function PayoutDetails({ payout, reload }: PayoutDetailsProps) {
  const { isOwner } = useSession();
  const { status } = payout;
  // Increases when another part of the page has changed lines, so that the list loads them again.
  const [marks, setMarks] = useState(0);
  return (
    <div class="stack">
      {status === 'open' && <UnfinishedPayout payout={payout} onFinished={reload} />}
      <div class="columns payout-columns">
        <PayoutFacts payout={payout} />
        <PayoutReference payout={payout} onChange={reload} />
      </div>
      {isOwner && status === 'made' && (
        <PayoutFiles
          payout={payout}
          onChanged={() => {
            setMarks((before) => before + 1);
            void reload();
          }}
        />
      )}
      <PayoutLines
        key={marks}
        payout={payout}
        actions={status === 'made' && <Lists payout={payout} />}
        onChanged={() => void reload()}
      />
    </div>
  );
}

/** Offers the amounts as a file. While no line has failed or is void, also as a text to copy. */
function Lists({ payout: { id, items, by_status: by } }: Pick<PayoutDetailsProps, 'payout'>) {
  const { api, isOwner } = useSession();
  const { path } = useProgram();
  const isText = items.length > 0 && by.failed.lines === 0 && by.void.lines === 0;
  return (
    <>
      {isText && <CopyButton label="Copy as text" what="as text, one line per partner" text={bankText(items)} />}
      {isOwner ? (
        <ExportButton
          fileName={`payout-${id}.csv`}
          make={async () => ({ content: await api.download(`${path}/payouts/${id}.csv`), isWhole: true })}
        />
      ) : (
        <span class="hint">A workspace owner downloads the file.</span>
      )}
    </>
  );
}

function PayoutFacts({ payout }: { readonly payout: Payout }) {
  const recorderOf = useRecorder();
  const { items, lines, totals, status, through, reference, created_at: at, created_by: by } = payout;
  const commissions = items.reduce((sum, { commission_ids: ids }) => sum + ids.length, 0);
  return (
    <section class="card" aria-label="About this payout">
      <dl class="facts">
        <dt>Total</dt>
        <dd class="strong">
          <Moneys amounts={totals} />
        </dd>
        <dt>Status</dt>
        <dd>
          <PayoutStatusBadge of={payout} />
        </dd>
        <dt>Pays</dt>
        <dd>
          {items.length > 0
            ? `${countOf(partnerCount(items), 'partner')}, ${countOf(commissions, 'commission')}`
            : countOf(lines, 'line')}
        </dd>
        <dt>Covers</dt>
        <dd>
          {through === null ? (
            'All sales that were approved'
          ) : (
            <>
              Sales up to <DayOfUtc on={through} /> (UTC)
            </>
          )}
        </dd>
        <dt>Recorded</dt>
        <dd>
          <Minute at={at} />
        </dd>
        <dt>Recorded by</dt>
        <dd>{recorderOf(by)}</dd>
        <dt class="print-only">Reference</dt>
        <dd class="print-only">{reference ?? 'None yet'}</dd>
      </dl>
      {lineStatuses.filter((one) => payout.by_status[one].lines > 0).length > 1 && <StatusTotals payout={payout} />}
      {status === 'made' && payout.by_status.recorded.lines > 0 && (
        <p class="hint">Send these amounts by your bank or processor: this service records them only.</p>
      )}
    </section>
  );
}
