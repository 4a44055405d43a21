import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { CommissionFields } from '#lib/apps/dashboard/parts/program/commission-fields.tsx';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Checkbox, Field, Select, TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { useTermsQuestion } from '#lib/apps/dashboard/parts/program/terms-question.tsx';
import { termsAmong } from '#lib/apps/dashboard/program/terms-notes.ts';
import { countOf, moneyText, unitsOf } from '#lib/apps/web/format.ts';
import { offerText, tiersEntry } from '#lib/apps/web/terms-texts.ts';
import { OwnersFields } from '#lib/apps/dashboard/parts/program/owners-fields.tsx';
import { ExtraTermsFields, HoldField, TermsPreview } from '#lib/apps/dashboard/parts/program/terms-fields.tsx';
import {
  centsEntry,
  commissionIn,
  extraTermsIn,
  membersFieldsIn,
  policyIn,
} from '#lib/apps/dashboard/program/program-fields.ts';
import { settingChoices } from '#lib/apps/dashboard/program/setting-choices.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';
import type { Program } from '#lib/wire/programs/program.ts';
import type { TermsPreview as Preview } from '#lib/wire/programs/terms.ts';

/** A sentence about who is affected by a change of the program's terms. */
function concernsText({ partners, groups_unaffected: groups, partners_unaffected: others }: Preview): string {
  const concerned = `${countOf(partners, 'active partner')} ${partners === 1 ? 'is' : 'are'} paid by these terms.`;
  if (groups === 0 && others === 0) return concerned;
  return `${concerned} Other terms do not change: ${countOf(groups, 'group')}, ${countOf(others, 'active partner')}.`;
}

/** All fields of the program; they are saved together. */
export function ProgramSection(heading: SectionHeading) {
  const { api, isOwner, reload: reloadPrograms } = useSession();
  const { program, path, reload } = useProgram();
  const { ask, dialog } = useTermsQuestion();

  const fieldsIn = (entered: Entered) => ({
    ...membersFieldsIn(entered),
    ...(isOwner && {
      ...commissionIn(entered),
      ...policyIn(entered),
      terms_apply: entered.terms_apply,
      ...extraTermsIn(entered, entered.currency ?? program.currency),
    }),
  });
  /**
   * Asks for a confirmation before the program's terms change. Shows what partners are offered before and after, and
   * how many partners are affected.
   */
  async function confirm(changes: object): Promise<boolean> {
    const wanted = termsAmong(changes);
    if (Object.keys(wanted).length === 0) return true;
    const preview = await api.send<Preview>('POST', `${path}/terms/preview`, wanted);
    if (Object.keys(preview.changes).length === 0) return true;
    const termsOf = (side: 'from' | 'to'): Program => ({
      ...program,
      ...Object.fromEntries(Object.entries(preview.changes).map(([field, values]) => [field, values[side]])),
    });
    const { currency = program.currency } = changes as Partial<Program>;
    return ask({
      before: offerText(termsOf('from'), program.currency),
      after: offerText(termsOf('to'), currency),
      concerns: concernsText(preview),
    });
  }
  /** Formats cents as a person enters them; other fields need no formatting. */
  const textOf = (field: string, value: unknown): string | undefined => {
    if (field === 'tiers') return tiersEntry(value as Program['tiers']).replaceAll('\n', ', ') || 'none';
    return field.endsWith('_cents') && typeof value === 'number' ? moneyText(value, program.currency) : undefined;
  };
  return (
    <Section
      {...heading}
      intro="A change of commission, currency or window applies to new sales. Existing commissions do not change."
    >
      <EditForm
        api={api}
        path={path}
        of={program}
        submit="Save changes"
        saysSaved
        fieldsIn={fieldsIn}
        confirm={confirm}
        onSaved={async () => void (await Promise.all([reload(), reloadPrograms()]))}
        textOf={textOf}
      >
        {(shown) => (
          <>
            <Field name="name" label="Name" required maxLength={120} defaultValue={shown.name} />
            <Field name="domain" label="Site" required defaultValue={shown.domain} />
            <TextArea
              name="allowed_origins"
              label="Allowed origins"
              rows={4}
              hint="Sites whose pages may send clicks and signups, one per line, such as https://app.example.com. A * includes all subdomains."
              defaultValue={shown.allowed_origins.join('\n')}
            />
            <OwnersFields>
              <Field
                name="attribution_window_days"
                label="Attribution window"
                unit="days"
                inputMode="numeric"
                size={8}
                required
                hint="From the first click to the signup. After a later signup, no partner is credited."
                defaultValue={String(shown.attribution_window_days)}
              />
              <Select
                name="lead_auth"
                label="Signups from the browser"
                value={shown.lead_auth}
                options={settingChoices.lead_auth}
                hint="Anyone can send a signup from a browser. If such signups count at once, anyone can claim a user id or an e-mail address, and with it that person's payments. The program can then pay nothing for leads."
              />
              <Select
                name="code_precedence"
                label="Payments with a coupon code"
                value={shown.code_precedence}
                options={settingChoices.code_precedence}
                hint="The link first: the code counts only if no click, e-mail address or user id finds a customer. The code first: its partner gets the sale even if the customer came through another partner's link. In both cases, a customer who has bought stays with their partner."
              />
              <h3>What partners earn</h3>
              <CommissionFields of={shown} />
              <ExtraTermsFields terms={shown} currency={shown.currency} />
              <Select
                name="terms_apply"
                label="Renewals are paid by"
                value={shown.terms_apply}
                options={settingChoices.terms_apply}
                hint="Whether a change of terms applies to the renewals of existing customers."
              />
              <HoldField days={shown.hold_period_days} />
              <Checkbox
                name="auto_approve"
                label="Approve by itself when the hold is over"
                hint="Otherwise someone approves each commission."
                defaultChecked={shown.auto_approve}
              />
              <Field
                name="minimum_payout_cents"
                label="Minimum payout"
                unit={shown.currency}
                inputMode="decimal"
                size={10}
                hint="Smaller amounts in this currency wait for a later payout. Empty: everything is paid."
                defaultValue={centsEntry(shown.minimum_payout_cents, shown.currency)}
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
              <Field
                name="member_approval_cents"
                label="Members approve up to"
                unit={shown.currency}
                inputMode="decimal"
                size={10}
                hint="For one commission, in its own currency. Above it, only owners approve or release. Empty: no limit."
                defaultValue={
                  shown.member_approval_cents === null
                    ? ''
                    : String(unitsOf(shown.member_approval_cents, shown.currency))
                }
              />
              <TermsPreview currency={shown.currency} who="A partner" source="the terms of the program" />
            </OwnersFields>
          </>
        )}
      </EditForm>
      {dialog}
    </Section>
  );
}
