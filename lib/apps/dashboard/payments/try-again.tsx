import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { retriedText } from '#lib/apps/dashboard/payments/unattributed-texts.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { RetriedPayment } from '#lib/wire/conversions/processor.ts';

/** A button that tries again to record a payment, with the present settings. @param id of the event, or of a sale */
export function TryAgain({ id, name }: { readonly id: string; readonly name: string }) {
  const { api } = useSession();
  const { path } = useProgram();
  const [outcome, setOutcome] = useState<RetriedPayment>();
  const retry = useAction(async () => {
    // The id is in the query, because a brand's server may send an id that cannot be part of a path.
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
