import { NoneFound } from '#lib/apps/dashboard/bulk/bulk-steps.tsx';
import {
  type DecidableStatus,
  type Decision,
  needsReason,
  totalText,
  verbs,
} from '#lib/apps/dashboard/commissions/decide-all.ts';
import type { Gathered } from '#lib/apps/web/api/gather-rows.ts';
import { countOf, countText } from '#lib/apps/web/format.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import type { Commission } from '#lib/wire/earnings/commission.ts';

interface BulkFormProps {
  readonly decision: Decision;
  readonly status: DecidableStatus;
  readonly found: Gathered<Commission>;
  readonly onSubmit: (entered: Entered) => void;
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

/** Shows what will be decided. To reject or reopen commissions, it asks for a reason, which is the same for all. */
export function BulkForm({ decision, status, found: { rows, isWhole }, onSubmit, onCancel }: BulkFormProps) {
  if (rows.length === 0) return <NoneFound text={`No ${status} commission matches.`} onClose={onCancel} />;
  const partners = countOf(new Set(rows.map(({ partner_id: id }) => id)).size, 'partner');
  return (
    <Form
      submit={`${verbs[decision]} ${countText(rows.length)}`}
      isDangerous={decision === 'reject'}
      onCancel={onCancel}
      onSubmit={async (entered) => onSubmit(entered)}
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
