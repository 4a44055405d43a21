import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { retriedText } from '#lib/apps/dashboard/payments/unsold-texts.ts';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { RetriedPayment } from '#lib/wire/conversions/processor.ts';

/** Tries to record a payment by the settings of now, and says what became of it. @param id the event's, or a sale's own */
export function TryAgain({ id, name }: { readonly id: string; readonly name: string }) {
  const { api } = useSession();
  const { path } = useProgram();
  const [outcome, setOutcome] = useState<RetriedPayment>();
  const retry = useAction(async () => {
    // A path cannot carry every id that a brand's server may send.
    const url = `${path}/processor/payments/retry?event_id=${encodeURIComponent(id)}`;
    setOutcome(await api.send<RetriedPayment>('POST', url));
  });
  return (
    <>
      {!outcome?.recorded && (
        <button
          type="button"
          class="button"
          aria-label={`Try again: ${name}`}
          aria-disabled={retry.isPending}
          onClick={() => retry.run()}
        >
          {retry.isPending ? 'Trying…' : 'Try again'}
        </button>
      )}
      <p role="status">{outcome && retriedText(outcome)}</p>
      {retry.error && <Failure error={retry.error} />}
    </>
  );
}
