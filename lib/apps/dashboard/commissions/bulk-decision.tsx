import { useEffect, useRef, useState } from 'preact/hooks';
import type { Query } from '#lib/apps/web/api/api.ts';
import { BulkForm, BulkResult, BulkRunning } from '#lib/apps/dashboard/commissions/bulk-steps.tsx';
import {
  begun,
  decideAll,
  type DecidableStatus,
  type Decision,
  type Progress,
  repeated,
  verbs,
} from '#lib/apps/dashboard/commissions/decide-all.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { countOf, countText } from '#lib/apps/web/format.ts';
import { type Gathered, gatherRows } from '#lib/apps/web/api/gather-rows.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { patiently } from '#lib/apps/web/api/patiently.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Commission, DecidedCommission } from '#lib/wire/earnings/commission.ts';

/** Commissions to decide on: selected rows, or all that match these filters. */
export type BulkSubject = { readonly rows: readonly Commission[] } | { readonly filters: Query };

interface BulkDecisionProps {
  readonly decision: Decision;
  /** Their status before the decision. */
  readonly status: DecidableStatus;
  readonly subject: BulkSubject;
  readonly onClose: () => void;
  /** Called if any commissions were decided. */
  readonly onDecided: () => void;
}

/**
 * Counts, asks for confirmation, decides with progress, and shows the result. Closing it stops after the current
 * request.
 */
export function BulkDecision({ decision, status, subject, onClose, onDecided }: BulkDecisionProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [count, setCount] = useState(0);
  const [found, setFound] = useState<Gathered<Commission> | undefined>(
    'rows' in subject ? { rows: subject.rows, isWhole: true } : undefined,
  );
  const [progress, setProgress] = useState<Progress>();
  const [reason, setReason] = useState<string>();
  const stop = useRef(new AbortController());
  const isOpen = useRef(true);

  const gathering = useAction(async () => {
    if (!('filters' in subject)) return;
    const { signal } = stop.current;
    setFound(await gatherRows<Commission>(api, `${path}/commissions`, subject.filters, { onCount: setCount, signal }));
  });
  const deciding = useAction(async (from: Progress, why: string | undefined) => {
    stop.current = new AbortController();
    const { signal } = stop.current;
    if (!isOpen.current) return;
    setReason(why);
    setProgress(from);
    const send = (ids: readonly number[]) =>
      patiently(
        () => api.send<readonly DecidedCommission[]>('POST', `${path}/commissions/${decision}`, { ids, reason: why }),
        signal,
      );
    try {
      await decideAll(from, decision, { send, onProgress: setProgress, signal });
    } finally {
      onDecided();
    }
  });

  useEffect(() => {
    gathering.run();
    return () => {
      isOpen.current = false;
      stop.current.abort();
    };
  }, []);

  const what = found && countOf(found.rows.length, `${status} commission`);
  const title = found ? `${verbs[decision]} ${what}?` : `${verbs[decision]} ${status} commissions`;
  return (
    <Dialog title={progress ? title.slice(0, -1) : title} onClose={onClose}>
      {!found && !gathering.error && <p role="status">Counting… {countText(count)} so far.</p>}
      {gathering.error && <Failure error={gathering.error} onRetry={gathering.run} />}
      {found && !progress && (
        <BulkForm
          decision={decision}
          status={status}
          found={found}
          onCancel={onClose}
          onSubmit={(why) => deciding.run(begun(found.rows.map(({ id }) => id)), why)}
        />
      )}
      {progress && deciding.isPending && (
        <BulkRunning decision={decision} progress={progress} onStop={() => stop.current.abort()} />
      )}
      {progress && !deciding.isPending && (
        <BulkResult
          decision={decision}
          progress={progress}
          commissions={found?.rows ?? []}
          error={deciding.error}
          onRepeat={() => deciding.run(repeated(progress, decision), reason)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
