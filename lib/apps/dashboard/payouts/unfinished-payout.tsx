import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { usePolled } from '#lib/apps/dashboard/hooks/use-polled.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { countOf, countText, moneysText } from '#lib/apps/web/format.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { usePayoutsFrozen } from '#lib/apps/dashboard/payouts/frozen-payouts.tsx';
import { explainFailedPayout } from '#lib/apps/dashboard/payouts/say-what-may-be.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { ListedPayout, Payout } from '#lib/wire/earnings/payout.ts';

type OpenPayout = Pick<ListedPayout, 'id' | 'totals' | 'progress'>;

interface UnfinishedPayoutProps {
  readonly payout: OpenPayout;
  /** True if this page has just begun to record the payout. It then continues without a click. */
  readonly isOwn?: boolean;
  readonly onFinished: () => void | Promise<void>;
}

const POLL_SECONDS = 5;

/** Shows a payout that is not recorded completely: its progress, and a button that continues to record it at once. */
export function UnfinishedPayout({ payout, isOwn = false, onFinished }: UnfinishedPayoutProps) {
  const { api, isOwner } = useSession();
  const { path } = useProgram();
  const isFrozen = usePayoutsFrozen();
  const [present, setPresent] = useState<OpenPayout>(payout);
  const isShown = useRef(true);
  const { id } = payout;
  const own = `${path}/payouts/${id}`;

  const show = async (now: Payout): Promise<boolean> => {
    if (!isShown.current) return false;
    setPresent(now);
    if (now.status === 'made') await onFinished();
    return now.status === 'open';
  };
  const goOn = useAction(async () => {
    let isOpen = true;
    while (isOpen) {
      const now = await api.send<Payout>('POST', `${own}/continue`).catch(async (cause: unknown) => {
        const known = await api.get<Payout>(own).catch(() => undefined);
        return known?.status === 'made' ? known : explainFailedPayout(cause);
      });
      isOpen = await show(now);
    }
  });
  const poll = useCallback(async () => {
    const now = await api.get<Payout>(own).catch(() => undefined);
    if (now) await show(now);
  }, [api, own]);
  usePolled(poll, goOn.isPending ? undefined : POLL_SECONDS);
  useEffect(() => {
    if (isOwn) goOn.run();
    return () => {
      isShown.current = false;
    };
  }, []);

  const { progress, totals } = present;
  return (
    <section class="notice warning" aria-label={`Payout ${id} is being recorded`}>
      <p>
        <strong>Payout {id} is being recorded.</strong> It goes on by itself within two minutes, also if you leave this
        page. No commission is paid twice.
      </p>
      {progress && (
        <>
          <progress class="bulk-progress" max={progress.of} value={progress.commissions} aria-label="Progress" />
          <p role="status">
            {countText(progress.commissions)} of {countOf(progress.of, 'commission')}, {moneysText(totals) || 'nothing'}{' '}
            so far.
          </p>
        </>
      )}
      {isOwner ? (
        <div>
          <button
            type="button"
            class="button primary"
            aria-disabled={goOn.isPending || isFrozen}
            onClick={() => !isFrozen && goOn.run()}
          >
            {goOn.isPending ? 'Recording…' : `Go on with payout ${id}`}
          </button>
          {isFrozen && <p class="hint">Payouts are frozen: it goes on when they are thawed.</p>}
        </div>
      ) : (
        <p>A workspace owner can go on with it at once.</p>
      )}
      {goOn.error && <Failure error={goOn.error} />}
    </section>
  );
}
