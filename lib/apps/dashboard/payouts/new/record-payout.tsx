import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import type { ChosenPayout } from '#lib/apps/dashboard/payouts/new/chosen-payout.ts';
import { isAsShown, payoutText } from '#lib/apps/dashboard/payouts/payout-text.ts';
import { explainFailedPayout } from '#lib/apps/dashboard/payouts/say-what-may-be.ts';
import { UnfinishedPayout } from '#lib/apps/dashboard/payouts/unfinished-payout.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { countOf, moneysText } from '#lib/apps/web/format.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import type { Payout } from '#lib/wire/earnings/payout.ts';

interface RecordPayoutProps {
  /** What would be recorded; undefined while the preview is loaded. */
  readonly shown: ChosenPayout | undefined;
  readonly isFrozen: boolean;
  /** Called when a request failed, because the preview may no longer be right. */
  readonly onFailed: () => Promise<void>;
}

/** A button that asks once, records the payout while it shows the progress, and opens the payout's page. */
export function RecordPayout({ shown, isFrozen, onFailed }: RecordPayoutProps) {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const { route } = useLocation();
  const [asked, setAsked] = useState<ChosenPayout>();
  const [begun, setBegun] = useState<Payout>();
  const [other, setOther] = useState<Payout>();
  const open = (id: number) => route(programPath('payout', program.id, id));
  const record = useAction(async (chosen: ChosenPayout) => {
    const made = await api
      .send<Payout>('POST', `${path}/payouts`, { ...chosen.choice, expected_totals: chosen.totals })
      .catch((cause: unknown) => {
        void onFailed();
        return explainFailedPayout(cause);
      });
    if (made.status === 'open') setBegun(made);
    else if (isAsShown(made, chosen)) open(made.id);
    else setOther(made);
  });

  if (begun) return <UnfinishedPayout payout={begun} isOwn onFinished={() => open(begun.id)} />;
  if (other) return <OtherThanShown payout={other} />;
  const isBarred = record.isPending || isFrozen;
  return (
    <>
      {shown && shown.partners > 0 && (
        <section class="card record-payout" aria-label="Record this payout">
          <p>
            Recording marks these commissions as paid. The money itself you send by your bank or processor: this service
            does not.
          </p>
          {isOwner ? (
            <button
              type="button"
              class="button primary long"
              aria-disabled={isBarred}
              onClick={() => !isBarred && setAsked(shown)}
            >
              {record.isPending ? 'Recording…' : `Record payout of ${payoutText(shown)}…`}
            </button>
          ) : (
            <p>
              <strong>{payoutText(shown)}</strong> is due. A workspace owner pays out.
            </p>
          )}
          {isOwner && isFrozen && (
            <p class="hint">Payouts are frozen: nothing can be recorded until they are thawed.</p>
          )}
        </section>
      )}
      {asked && (
        <Dialog title="Record this payout?" onClose={() => setAsked(undefined)}>
          <Form
            submit="Record payout"
            onCancel={() => setAsked(undefined)}
            onSubmit={async () => {
              setAsked(undefined);
              record.run(asked);
            }}
          >
            <p>
              <strong>{moneysText(asked.totals)}</strong> to {countOf(asked.partners, 'partner')}, for{' '}
              {countOf(asked.commissions, 'commission')}. What is not sent in the end can be voided on the payout's
              page.
            </p>
          </Form>
        </Dialog>
      )}
      {record.error && (
        <div class="stack">
          <Failure error={record.error} />
          <p>
            <a href={programPath('payouts', program.id)}>See the list of payouts</a>
          </p>
        </div>
      )}
    </>
  );
}

/**
 * Says that the recorded payout differs from the preview that was shown, because commissions have changed since, or
 * another owner was recording a payout.
 */
function OtherThanShown({ payout }: { readonly payout: Payout }) {
  const { program } = useProgram();
  return (
    <div class="notice warning" role="alert">
      <p>
        <strong>
          Payout {payout.id} is recorded, with other amounts than were shown: {moneysText(payout.totals)}.
        </strong>{' '}
        Commissions have changed in between, or someone else was recording a payout. Send what the payout says.
      </p>
      <a href={programPath('payout', program.id, payout.id)}>See payout {payout.id}</a>
    </div>
  );
}
