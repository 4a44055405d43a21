import { CommissionFields } from '#lib/apps/dashboard/parts/program/commission-fields.tsx';
import { OwnersFields } from '#lib/apps/dashboard/parts/program/owners-fields.tsx';
import { ExtraTermsFields, HoldField, TermsPreview } from '#lib/apps/dashboard/parts/program/terms-fields.tsx';
import { useTermsQuestion } from '#lib/apps/dashboard/parts/program/terms-question.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { commissionIn, extraTermsIn, holdIn } from '#lib/apps/dashboard/program/program-fields.ts';
import { settingChoices } from '#lib/apps/dashboard/program/setting-choices.ts';
import { termsAmong } from '#lib/apps/dashboard/program/terms-notes.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { countOf, moneyText } from '#lib/apps/web/format.ts';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Select } from '#lib/apps/web/parts/forms/field.tsx';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';
import { offerText, tiersEntry } from '#lib/apps/web/terms-texts.ts';
import type { Program } from '#lib/wire/programs/program.ts';
import type { TermsPreview as Preview } from '#lib/wire/programs/terms.ts';

/** A sentence about who is affected by a change of the program's terms. */
function concernsText({ partners, groups_unaffected: groups, partners_unaffected: others }: Preview): string {
  const concerned = `${countOf(partners, 'active partner')} ${partners === 1 ? 'is' : 'are'} paid by these terms.`;
  if (groups === 0 && others === 0) return concerned;
  return `${concerned} Other terms do not change: ${countOf(groups, 'group')}, ${countOf(others, 'active partner')}.`;
}

/** The terms of the program. */
export function TermsSection(heading: SectionHeading) {
  const { api, isOwner } = useSession();
  const { program, path, reload } = useProgram();
  const { ask, dialog } = useTermsQuestion();

  const fieldsIn = (entered: Entered) => ({
    ...commissionIn(entered),
    ...holdIn(entered),
    ...extraTermsIn(entered, entered.currency ?? program.currency),
    terms_apply: entered.terms_apply,
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
      intro="Partners without a group and without personal terms are paid by these. A change applies to new sales. Existing commissions do not change."
    >
      <EditForm
        api={api}
        path={path}
        of={program}
        submit="Save terms"
        saysSaved
        isReadOnly={!isOwner}
        fieldsIn={fieldsIn}
        confirm={confirm}
        onSaved={reload}
        textOf={textOf}
      >
        {(shown) => (
          <OwnersFields>
            <CommissionFields of={shown} />
            <ExtraTermsFields terms={shown} currency={shown.currency} />
            <HoldField days={shown.hold_period_days} />
            <Select
              name="terms_apply"
              label="Renewals are paid by"
              value={shown.terms_apply}
              options={settingChoices.terms_apply}
              hint="Whether a change of terms applies to the renewals of existing customers."
            />
            <TermsPreview currency={shown.currency} who="A partner" source="the terms of the program" />
          </OwnersFields>
        )}
      </EditForm>
      {dialog}
    </Section>
  );
}
