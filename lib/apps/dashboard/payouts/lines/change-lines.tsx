import { BulkDialog } from '#lib/apps/dashboard/bulk/bulk-dialog.tsx';
import { NoneFound } from '#lib/apps/dashboard/bulk/bulk-steps.tsx';
import {
  isEnd,
  isLineChanged,
  lineChanges,
  lineTotals,
  mayLineChange,
} from '#lib/apps/dashboard/payouts/lines/line-changes.ts';
import { nameOfLine } from '#lib/apps/dashboard/payouts/lines/line-columns.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Gathered, Task } from '#lib/apps/web/api/gather-rows.ts';
import { countOf, countText, moneysText } from '#lib/apps/web/format.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { Field, TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import type { LineStatus } from '#lib/wire/earnings/line-status.ts';
import type { ChangedLine, PayoutLine } from '#lib/wire/earnings/payout-line.ts';

interface ChangeLinesProps {
  /** Path of the lines in the API. */
  readonly path: string;
  readonly to: LineStatus;
  readonly subject: readonly PayoutLine[] | ((task: Task) => Promise<Gathered<PayoutLine>>);
  /** What the owner should know about the selected lines. */
  readonly note?: string;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Changes the status of many lines, after a question that says how many they are and what they sum up to. */
export function ChangeLines({ path, to, subject, note, onClose, onChanged }: ChangeLinesProps) {
  const { api } = useSession();
  const { command, outcome } = lineChanges[to];
  return (
    <BulkDialog<PayoutLine, ChangedLine>
      titleOf={(count) => command(count === undefined ? 'lines' : countOf(count, 'line'))}
      subject={subject}
      outcome={outcome}
      form={(found, submit) => <LinesForm to={to} found={found} note={note} onSubmit={submit} onCancel={onClose} />}
      send={(ids, { reason, reference }) =>
        api.send('POST', path, { ids, status: to, reason, ...(reference && { reference }) })
      }
      isDone={(line) => isLineChanged(to, line)}
      mayBecome={(line) => mayLineChange(to, line)}
      nameOf={(line) => `${nameOfLine(line)}, ${line.number}`}
      onClose={onClose}
      onChanged={onChanged}
    />
  );
}

interface LinesFormProps extends Pick<ChangeLinesProps, 'to' | 'note'> {
  readonly found: Gathered<PayoutLine>;
  readonly onSubmit: (entered: Entered) => void;
  readonly onCancel: () => void;
}

function LinesForm({ to, found: { rows, isWhole }, note, onSubmit, onCancel }: LinesFormProps) {
  const { command, effect } = lineChanges[to];
  if (rows.length === 0) return <NoneFound text="No line can be changed in this way." onClose={onCancel} />;
  const partners = countOf(new Set(rows.map(({ partner_id: id }) => id)).size, 'partner');
  return (
    <Form
      submit={command(countOf(rows.length, 'line'))}
      isDangerous={isEnd(to)}
      onCancel={onCancel}
      onSubmit={async (entered) => onSubmit(entered)}
    >
      <p role="status">
        <strong>{moneysText(lineTotals(rows))}</strong> to {partners}. {effect}
      </p>
      {note && <p>{note}</p>}
      {!isWhole && (
        <p>There are more: these are the first {countText(rows.length)}. Do the same again for the others.</p>
      )}
      {isEnd(to) ? (
        <TextArea name="reason" label="Reason" hint="The partners read it." rows={3} required />
      ) : (
        to !== 'recorded' && (
          <Field
            name="reference"
            label="Reference (optional)"
            hint="What the bank or processor calls the payment. Without one, the present one stays."
            maxLength={200}
          />
        )
      )}
    </Form>
  );
}
