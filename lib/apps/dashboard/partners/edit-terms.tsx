import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { loadAll } from '#lib/apps/web/api/load-all.ts';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Select } from '#lib/apps/web/parts/forms/field.tsx';
import { TermsFields } from '#lib/apps/dashboard/parts/program/terms-fields.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { termsIn } from '#lib/apps/dashboard/program/program-fields.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { useTermsQuestion } from '#lib/apps/dashboard/parts/program/terms-question.tsx';
import { offerText, previewText, sourceText, termsText } from '#lib/apps/web/terms-texts.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';
import type { Group, Terms } from '#lib/wire/programs/terms.ts';

interface EditTermsProps {
  readonly partner: Partner;
  readonly onClose: () => void;
  readonly onChange: (partner: Partner) => void;
}

const choices = [
  ['shared', 'Those of the group, or of the program'],
  ['personal', 'For this partner alone'],
] as const;

/** A form for a partner's group, and for terms that apply to this partner only. */
export function EditTerms({ partner, onClose, onChange }: EditTermsProps) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const loading = useLoaded(() => loadAll<Group>(api, `${path}/groups`), [api, path]);
  const { ask, dialog } = useTermsQuestion();
  return (
    <>
      <WhenLoaded of={loading}>
        {(groups) => (
          <EditForm
            api={api}
            path={`${path}/partners/${partner.id}`}
            of={partner}
            submit="Save terms"
            onCancel={onClose}
            fieldsIn={({ group_id: groupId, terms, ...entered }) => ({
              group_id: groupId ? Number(groupId) : null,
              terms: terms === 'personal' ? termsIn(entered, program.currency) : null,
            })}
            confirm={(changes) => confirm(changes, groups)}
            onSaved={(saved) => {
              onChange(saved);
              onClose();
            }}
            textOf={textOf(groups)}
          >
            {(shown) => <ChosenTerms partner={shown} groups={groups} />}
          </EditForm>
        )}
      </WhenLoaded>
      {dialog}
    </>
  );

  /** Asks for a confirmation if the change gives the partner other terms. */
  async function confirm(changes: Partial<Pick<Partner, 'group_id' | 'terms'>>, groups: readonly Group[]) {
    const { group_id: groupId, terms } = { ...partner, ...changes };
    const before = offerText(partner.terms_in_force, program.currency);
    const after = offerText(terms ?? groups.find(({ id }) => id === groupId)?.terms ?? program, program.currency);
    return before === after || ask({ before, after, concerns: `The change concerns ${partner.name}.` });
  }

  function textOf(groups: readonly Group[]) {
    return (field: string, value: unknown): string | undefined => {
      if (value === null) return undefined;
      if (field === 'group_id') return groups.find(({ id }) => id === value)?.name;
      return termsText(value as Terms, program.currency);
    };
  }
}

interface ChosenTermsProps {
  readonly partner: Partner;
  readonly groups: readonly Group[];
}

function ChosenTerms({ partner, groups }: ChosenTermsProps) {
  const { program } = useProgram();
  const [groupId, setGroupId] = useState(partner.group_id === null ? '' : String(partner.group_id));
  const [choice, setChoice] = useState<string>(partner.terms ? 'personal' : 'shared');
  const group = groups.find(({ id }) => String(id) === groupId);
  return (
    <>
      <Select
        name="group_id"
        label="Group"
        value={groupId}
        onChange={setGroupId}
        options={[['', 'None'], ...groups.map(({ id, name }) => [String(id), name] as const)]}
      />
      <Select name="terms" label="Terms" value={choice} onChange={setChoice} options={choices} />
      {choice === 'personal' ? (
        <TermsFields
          terms={partner.terms ?? group?.terms ?? program}
          currency={program.currency}
          who={partner.name}
          source="personal terms"
          program={program}
        />
      ) : (
        <p class="hint" role="status">
          {sharedText()}
        </p>
      )}
    </>
  );

  function sharedText(): string {
    const source = sourceText({ from: group ? 'group' : 'program', name: group?.name ?? null });
    return previewText(partner.name, group?.terms ?? program, program.currency, source);
  }
}
