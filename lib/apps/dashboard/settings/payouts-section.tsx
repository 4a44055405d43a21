import { OwnersFields } from '#lib/apps/dashboard/parts/program/owners-fields.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { centsEntry, payoutsIn } from '#lib/apps/dashboard/program/program-fields.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { moneyText, unitsOf } from '#lib/apps/web/format.ts';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Checkbox, Field, TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';

/** Who approves commissions, and when and how much is paid. */
export function PayoutsSection(heading: SectionHeading) {
  const { api, isOwner } = useSession();
  const { program, path, reload } = useProgram();
  const { currency } = program;
  return (
    <Section
      {...heading}
      intro="Who approves commissions, and when partners are paid. The name and account that pay them are under Members."
    >
      <EditForm
        api={api}
        path={path}
        of={program}
        submit="Save payouts"
        saysSaved
        isReadOnly={!isOwner}
        fieldsIn={(entered) => payoutsIn(entered, currency)}
        onSaved={reload}
        textOf={(field, value) =>
          field.endsWith('_cents') && typeof value === 'number' ? moneyText(value, currency) : undefined
        }
      >
        {(shown) => (
          <OwnersFields>
            <Checkbox
              name="auto_approve"
              label="Approve by itself when the hold is over"
              hint="Otherwise someone approves each commission."
              defaultChecked={shown.auto_approve}
            />
            <Field
              name="member_approval_cents"
              label="Members approve up to"
              unit={currency}
              inputMode="decimal"
              size={10}
              hint="For one commission, in its own currency. Above it, only owners approve or release. Empty: no limit."
              defaultValue={
                shown.member_approval_cents === null ? '' : String(unitsOf(shown.member_approval_cents, currency))
              }
            />
            <Field
              name="minimum_payout_cents"
              label="Minimum payout"
              unit={currency}
              inputMode="decimal"
              size={10}
              hint="Smaller amounts in this currency wait for a later payout. Empty: everything is paid."
              defaultValue={centsEntry(shown.minimum_payout_cents, currency)}
            />
            <Field
              name="payout_days"
              label="Payout days"
              size={14}
              hint="Up to four days of the month from 1 to 28, such as 1, 15. Partners see the next one and what it would pay them, and owners get a mail on that day if something is due. Nothing is paid automatically."
              defaultValue={shown.payout_days.join(', ')}
            />
            <TextArea
              name="statement_note"
              label="Note on statements"
              rows={3}
              hint="On the statement of each payout, such as the tax note of a self-billed invoice. Empty: none."
              defaultValue={shown.statement_note ?? ''}
            />
          </OwnersFields>
        )}
      </EditForm>
    </Section>
  );
}
