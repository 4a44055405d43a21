import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { moneysText } from '#lib/apps/web/format.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { usePayoutsFrozen } from '#lib/apps/dashboard/payouts/frozen-payouts.tsx';
import { payoutText } from '#lib/apps/dashboard/payouts/payout-text.ts';
import { explainFailedPayout } from '#lib/apps/dashboard/payouts/say-what-may-be.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { ListedPayout, Payout, PayoutPreview } from '#lib/wire/earnings/payout.ts';

interface UnfinishedPayoutProps {
  readonly payout: Pick<ListedPayout, 'id' | 'totals'>;
  readonly onFinished: () => void | Promise<void>;
}

/**
 * A payout that was interrupted or is in progress: its present and final contents, and the button that completes it.
 */
export function UnfinishedPayout({ payout: { id, totals }, onFinished }: UnfinishedPayoutProps) {
  const { api, isOwner } = useSession();
  const { path } = useProgram();
  const isFrozen = usePayoutsFrozen();
  const whole = useLoaded(() => api.send<PayoutPreview>('POST', `${path}/payouts/preview`, {}), [api, path]);
  const finish = useAction(async () => {
    for (let status = 'open'; status === 'open';) {
      const now = await api.send<Payout>('POST', `${path}/payouts/${id}/continue`, {}).catch(async (cause: unknown) => {
        const present = await api.get<Payout>(`${path}/payouts/${id}`).catch(() => undefined);
        if (present?.status !== 'made') explainFailedPayout(cause);
        return present;
      });
      status = now?.status ?? 'made';
    }
    await onFinished();
  });
  return (
    <section class="notice warning" aria-label={`Payout ${id} is not finished`}>
      <p>
        <strong>Payout {id} is not finished.</strong> It was interrupted, or someone is recording it right now. It holds{' '}
        {moneysText(totals)} so far.
        {whole.state === 'ready' && whole.value.items.length > 0 && (
          <> Finished, it holds {payoutText(whole.value)}.</>
        )}{' '}
        No commission is paid twice, however often it is finished.
      </p>
      {isOwner ? (
        <div>
          <button
            type="button"
            class="button primary"
            aria-disabled={finish.isPending || isFrozen}
            onClick={() => !isFrozen && finish.run()}
          >
            {finish.isPending ? 'Finishing…' : `Finish payout ${id}`}
          </button>
          {isFrozen && <p class="hint">Payouts are frozen: it can be finished when they are thawed.</p>}
        </div>
      ) : (
        <p>A workspace owner finishes it.</p>
      )}
      {finish.error && <Failure error={finish.error} />}
    </section>
  );
}
