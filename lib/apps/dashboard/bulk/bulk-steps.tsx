import type { ComponentChildren } from 'preact';
import type { ApiError } from '#lib/apps/web/api/api-error.ts';
import type { Answered, Progress } from '#lib/apps/dashboard/bulk/run-all.ts';
import { countText } from '#lib/apps/web/format.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Table } from '#lib/apps/web/parts/table/table.tsx';

interface NoneFoundProps {
  readonly text: string;
  readonly onClose: () => void;
}

export const NoneFound = ({ text, onClose }: NoneFoundProps) => (
  <>
    <p role="status">{text}</p>
    <div class="form-buttons">
      <CloseButton text="Close" onClose={onClose} />
    </div>
  </>
);

const totalOf = ({ done, refused, left }: Progress<Answered>): number => done + refused.length + left.length;

interface BulkRunningProps {
  /** What happens to the objects, in a word such as `approved`. */
  readonly outcome: string;
  readonly progress: Progress<Answered>;
  readonly onStop: () => void;
}

export function BulkRunning({ outcome, progress, onStop }: BulkRunningProps) {
  const total = totalOf(progress);
  const answered = total - progress.left.length;
  return (
    <>
      <progress class="bulk-progress" max={total} value={answered} aria-label="Progress" />
      <p role="status">
        {countText(progress.done)} of {countText(total)} {outcome}.
      </p>
      <div class="form-buttons">
        <CloseButton text="Stop" onClose={onStop} />
      </div>
    </>
  );
}

interface BulkResultProps<Answer extends Answered> {
  readonly outcome: string;
  readonly progress: Progress<Answer>;
  /** How many objects a second attempt would try to change. */
  readonly again: number;
  readonly nameOf: (id: Answer['id']) => ComponentChildren;
  readonly error?: ApiError;
  readonly onRepeat: () => void;
  readonly onClose: () => void;
}

/** Maximum number of refusals that are shown one by one. */
const SHOWN = 50;

/** Shows how many objects were changed, and for the others why they were not. */
export function BulkResult<Answer extends Answered>({ outcome, progress, error, ...props }: BulkResultProps<Answer>) {
  const { done, refused, left } = progress;
  const { again, nameOf, onRepeat, onClose } = props;
  return (
    <>
      <p role="status">
        <strong>
          {countText(done)} of {countText(totalOf(progress))} {outcome}.
        </strong>{' '}
        {left.length > 0 && `${countText(left.length)} not tried, or without an answer.`}
      </p>
      {error && <Failure error={error} />}
      {refused.length > 0 && (
        <Table
          label={`Not ${outcome}`}
          rows={refused.slice(0, SHOWN)}
          keyOf={({ id }) => id}
          columns={[
            { title: 'For', cell: ({ id }) => nameOf(id) },
            { title: `Why it was not ${outcome}`, cell: ({ error: why }) => why },
          ]}
        />
      )}
      {refused.length > SHOWN && <p class="hint">And {countText(refused.length - SHOWN)} more.</p>}
      <div class="form-buttons">
        {again > 0 && (
          <button type="button" class="button primary" onClick={onRepeat}>
            {`Go on with ${countText(again)}`}
          </button>
        )}
        <CloseButton text="Done" onClose={onClose} />
      </div>
    </>
  );
}

/** A button that gets the focus, because the element that had it is no longer on the page. */
const CloseButton = ({ text, onClose }: { readonly text: string; readonly onClose: () => void }) => (
  <button type="button" class="button" ref={focusNow} onClick={onClose}>
    {text}
  </button>
);

const focusNow = (button: HTMLElement | null): void => button?.focus();
