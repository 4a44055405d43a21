import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { isAsShown, payoutText } from '#lib/apps/dashboard/payouts/payout-text.ts';
import { explainFailedPayout } from '#lib/apps/dashboard/payouts/say-what-may-be.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Payout, PayoutPreview } from '#lib/wire/earnings/payout.ts';

/** The commissions to pay, as parameters of the API. */
export interface PayoutChoice {
  readonly partner_id?: string;
  /** Last UTC day of payments to include. */
  readonly through?: string;
}

/** A choice of commissions with its preview. */
export interface PreviewedChoice {
  readonly choice: PayoutChoice;
  readonly preview: PayoutPreview;
}

interface RecordPayoutProps {
  /** The previewed choice; undefined until the preview is loaded. */
  readonly shown: PreviewedChoice | undefined;
  readonly isFrozen: boolean;
  /** Called after a failed request, because the preview may be outdated. */
  readonly onFailed: () => Promise<void>;
}

/** Records the payout that is shown, and opens its page. */
export function RecordPayout({ shown, isFrozen, onFailed }: RecordPayoutProps) {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const { route } = useLocation();
  const [other, setOther] = useState<Payout>();
  const record = useAction(async ({ choice, preview }: PreviewedChoice) => {
    const body = { ...choice, expected_totals: preview.totals };
    const made = await api.send<Payout>('POST', `${path}/payouts`, body).catch((cause: unknown) => {
      void onFailed();
      return explainFailedPayout(cause);
    });
    if (isAsShown(made, preview)) route(programPath('payout', program.id, made.id));
    else setOther(made);
  });

  if (other) return <OtherThanShown payout={other} />;
  return (
    <>
      {shown && shown.preview.items.length > 0 && (
        <section class="card record-payout" aria-label="Record this payout">
          <p>
            Recording marks these commissions as paid, which cannot be undone. The money itself you send by your bank or
            processor: this service does not.
          </p>
          {isOwner ? (
            <button
              type="button"
              class="button primary long"
              aria-disabled={record.isPending || isFrozen}
              onClick={() => !isFrozen && record.run(shown)}
            >
              {record.isPending ? 'Recording…' : `Record payout of ${payoutText(shown.preview)}`}
            </button>
          ) : (
            <p>
              <strong>{payoutText(shown.preview)}</strong> is due. A workspace owner pays out.
            </p>
          )}
          {isOwner && isFrozen && (
            <p class="hint">Payouts are frozen: nothing can be recorded until they are thawed.</p>
          )}
        </section>
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
 * Explains that the recorded payout differs from its preview, because commissions changed or another owner recorded a
 * payout.
 */
function OtherThanShown({ payout }: { readonly payout: Payout }) {
  const { program } = useProgram();
  return (
    <div class="notice warning" role="alert">
      <p>
        <strong>
          Payout {payout.id} is recorded, with other amounts than were shown: {payoutText(payout)}.
        </strong>{' '}
        Commissions have changed in between, or someone else was recording a payout. Send what the payout says.
      </p>
      <a href={programPath('payout', program.id, payout.id)}>See payout {payout.id}</a>
    </div>
  );
}
