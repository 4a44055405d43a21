import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { BulkResult, BulkRunning } from '#lib/apps/dashboard/bulk/bulk-steps.tsx';
import { type Answered, type Progress, runAll, withRefused } from '#lib/apps/dashboard/bulk/run-all.ts';
import type { Gathered, Task } from '#lib/apps/web/api/gather-rows.ts';
import { patiently } from '#lib/apps/web/api/patiently.ts';
import { countText } from '#lib/apps/web/format.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';

interface BulkDialogProps<Row extends { readonly id: Answer['id'] }, Answer extends Answered> {
  /** Returns the title, without a question mark. @param count undefined while rows are being counted */
  readonly titleOf: (count: number | undefined) => string;
  /** The selected rows, or a function that collects all rows that match the filters. */
  readonly subject: readonly Row[] | ((task: Task) => Promise<Gathered<Row>>);
  /** What happens to the rows, in a word such as `approved`. */
  readonly outcome: string;
  /** Returns the form that asks the person to confirm. */
  readonly form: (found: Gathered<Row>, submit: (entered: Entered) => void) => ComponentChildren;
  readonly send: (ids: readonly Answer['id'][], entered: Entered) => Promise<readonly Answer[]>;
  /** Whether the row has the status that the change gives. */
  readonly isDone: (answer: Answer) => boolean;
  /** Whether a second attempt to change the row may succeed. */
  readonly mayBecome: (answer: Answer) => boolean;
  readonly nameOf: (row: Row) => ComponentChildren;
  readonly onClose: () => void;
  /** Called when rows were changed, or when it is not known whether they were. */
  readonly onChanged: () => void;
}

/**
 * Counts the rows, asks the person to confirm, changes the rows, and shows the result. If the dialog is closed, it
 * stops after the current request.
 */
export function BulkDialog<Row extends { readonly id: Answer['id'] }, Answer extends Answered>(
  props: BulkDialogProps<Row, Answer>,
) {
  const { subject, outcome, mayBecome, onClose } = props;
  const [count, setCount] = useState(0);
  const [found, setFound] = useState<Gathered<Row> | undefined>(
    typeof subject === 'function' ? undefined : { rows: subject, isWhole: true },
  );
  const [progress, setProgress] = useState<Progress<Answer>>();
  const [entered, setEntered] = useState<Entered>({});
  const stop = useRef(new AbortController());
  const isOpen = useRef(true);

  const gathering = useAction(async () => {
    if (typeof subject !== 'function') return;
    setFound(await subject({ onCount: setCount, signal: stop.current.signal }));
  });
  const changing = useAction(async (from: Progress<Answer>, given: Entered) => {
    stop.current = new AbortController();
    const { signal } = stop.current;
    if (!isOpen.current) return;
    setEntered(given);
    setProgress(from);
    const send = (ids: readonly Answer['id'][]) => patiently(() => props.send(ids, given), signal);
    try {
      await runAll(from, { send, isDone: props.isDone, onProgress: setProgress, signal });
    } finally {
      props.onChanged();
    }
  });

  useEffect(() => {
    gathering.run();
    return () => {
      isOpen.current = false;
      stop.current.abort();
    };
  }, []);

  const title = props.titleOf(found?.rows.length);
  const repeated = progress && withRefused(progress, mayBecome);
  return (
    <Dialog title={found && !progress ? `${title}?` : title} onClose={onClose}>
      {!found && !gathering.error && <p role="status">Counting… {countText(count)} so far.</p>}
      {gathering.error && <Failure error={gathering.error} onRetry={gathering.run} />}
      {found &&
        !progress &&
        props.form(found, (given) =>
          changing.run({ done: 0, refused: [], left: found.rows.map(({ id }) => id) }, given),
        )}
      {progress && changing.isPending && (
        <BulkRunning outcome={outcome} progress={progress} onStop={() => stop.current.abort()} />
      )}
      {progress && repeated && !changing.isPending && (
        <BulkResult
          outcome={outcome}
          progress={progress}
          again={repeated.left.length}
          nameOf={(id) => {
            const row = found?.rows.find((one) => one.id === id);
            return row && props.nameOf(row);
          }}
          error={changing.error}
          onRepeat={() => changing.run(repeated, entered)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
