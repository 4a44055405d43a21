import type { ApiError } from '#lib/apps/web/api/api-error.ts';
import {
  type DecidableStatus,
  type Decision,
  needsReason,
  outcomes,
  type Progress,
  repeated,
  totalText,
  verbs,
} from '#lib/apps/dashboard/commissions/decide-all.ts';
import { CommissionSource } from '#lib/apps/dashboard/commissions/commission-source.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { countOf, countText } from '#lib/apps/web/format.ts';
import type { Gathered } from '#lib/apps/web/api/gather-rows.ts';
import { TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { Table } from '#lib/apps/web/parts/table/table.tsx';
import type { Commission } from '#lib/wire/earnings/commission.ts';

interface BulkFormProps {
  readonly decision: Decision;
  readonly status: DecidableStatus;
  readonly found: Gathered<Commission>;
  readonly onSubmit: (reason: string | undefined) => void;
  readonly onCancel: () => void;
}

const effects = {
  approve: 'They are due with the next payout, also those whose hold is not over.',
  release:
    'They count from now on, and are paid as any others. What held them does not hold the same customers a second time.',
  reject: 'The partners get nothing for them, unless you reopen them later.',
  reopen:
    'They are pending again, and from now on only a person approves them. Refunds since they were rejected are deducted now.',
} as const;

/** Shows what will be decided, and for a rejection or a reopening asks for one reason for all. */
export function BulkForm({ decision, status, found: { rows, isWhole }, onSubmit, onCancel }: BulkFormProps) {
  if (rows.length === 0) {
    return (
      <>
        <p role="status">No {status} commission matches.</p>
        <div class="form-buttons">
          <CloseButton text="Close" onClose={onCancel} />
        </div>
      </>
    );
  }
  const partners = countOf(new Set(rows.map(({ partner_id: id }) => id)).size, 'partner');
  return (
    <Form
      submit={`${verbs[decision]} ${countText(rows.length)}`}
      isDangerous={decision === 'reject'}
      onCancel={onCancel}
      onSubmit={async ({ reason }) => onSubmit(reason)}
    >
      <p role="status">
        <strong>{totalText(rows)}</strong> of {partners}. {effects[decision]}
      </p>
      {!isWhole && (
        <p>There are more: these are the {countText(rows.length)} newest. Do the same again for the others.</p>
      )}
      {needsReason(decision) && (
        <TextArea
          name="reason"
          label="Reason"
          hint={decision === 'reject' ? 'The partners read it.' : 'For your records. The partners do not read it.'}
          rows={3}
          required
        />
      )}
    </Form>
  );
}

const totalOf = ({ done, refused, left }: Progress): number => done + refused.length + left.length;

interface BulkRunningProps {
  readonly decision: Decision;
  readonly progress: Progress;
  readonly onStop: () => void;
}

export function BulkRunning({ decision, progress, onStop }: BulkRunningProps) {
  const total = totalOf(progress);
  const answered = total - progress.left.length;
  return (
    <>
      <progress class="bulk-progress" max={total} value={answered} aria-label="Progress" />
      <p role="status">
        {countText(progress.done)} of {countText(total)} {outcomes[decision]}.
      </p>
      <div class="form-buttons">
        <CloseButton text="Stop" onClose={onStop} />
      </div>
    </>
  );
}

interface BulkResultProps {
  readonly decision: Decision;
  readonly progress: Progress;
  readonly commissions: readonly Commission[];
  readonly error?: ApiError;
  readonly onRepeat: () => void;
  readonly onClose: () => void;
}

/** Number of refusals that are shown individually. */
const SHOWN = 50;

/** Shows which commissions were decided, and why others were not. */
export function BulkResult({ decision, progress, commissions, error, onRepeat, onClose }: BulkResultProps) {
  const { done, refused, left } = progress;
  const { program } = useProgram();
  const again = repeated(progress, decision).left.length;
  const byId = new Map(commissions.map((one) => [one.id, one]));
  return (
    <>
      <p role="status">
        <strong>
          {countText(done)} of {countText(totalOf(progress))} {outcomes[decision]}.
        </strong>{' '}
        {left.length > 0 && `${countOf(left.length, 'commission')} not tried, or without an answer.`}
      </p>
      {error && <Failure error={error} />}
      {refused.length > 0 && (
        <Table
          label={`Not ${outcomes[decision]}`}
          rows={refused.slice(0, SHOWN)}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'For',
              cell: ({ id }) => {
                const commission = byId.get(id);
                return commission && <CommissionSource commission={commission} programId={program.id} />;
              },
            },
            { title: `Why it was not ${outcomes[decision]}`, cell: ({ error: why }) => why },
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

/** A button that takes the focus, because the element that had the focus was removed. */
const CloseButton = ({ text, onClose }: { readonly text: string; readonly onClose: () => void }) => (
  <button type="button" class="button" ref={focusNow} onClick={onClose}>
    {text}
  </button>
);

const focusNow = (button: HTMLElement | null): void => button?.focus();
