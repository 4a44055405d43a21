import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { countOf } from '#lib/apps/web/format.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { loadAll } from '#lib/apps/web/api/load-all.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { TermsFields } from '#lib/apps/dashboard/parts/program/terms-fields.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { termsIn } from '#lib/apps/dashboard/program/program-fields.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';
import { useTermsQuestion } from '#lib/apps/dashboard/parts/program/terms-question.tsx';
import { offerText, termsText } from '#lib/apps/web/terms-texts.ts';
import type { Group, Terms } from '#lib/wire/programs/terms.ts';

/** Lists the groups of partners. The terms of a group apply to its partners. */
export function GroupsSection(heading: SectionHeading) {
  const { api, isOwner } = useSession();
  const { program, path, reload } = useProgram();
  const loading = useLoaded(() => loadAll<Group>(api, `${path}/groups`), [api, path]);
  const [edited, setEdited] = useState<Group | 'new'>();
  const close = () => setEdited(undefined);
  // The program is loaded again too, because the list of all versions of terms follows it.
  const onSaved = async () => void (await Promise.all([loading.reload(), reload()]));
  const adding = useAction(async () => {
    // Another person may have changed the program's terms since the page was loaded, so the program is loaded again.
    await reload();
    setEdited('new');
  });
  return (
    <Section
      {...heading}
      intro="Partners in a group are paid by its terms instead of those above. On a partner's page you can choose a group, or set personal terms."
    >
      <WhenLoaded of={loading} what="Groups of partners">
        {(groups) => (
          <ul class="plain-list groups">
            {groups.map((group) => (
              <li key={group.id}>
                <div>
                  <strong>
                    <bdi>{group.name}</bdi>
                  </strong>
                  , {countOf(group.partners, 'partner')}
                  <div class="hint">{termsText(group.terms, program.currency)}</div>
                </div>
                {isOwner && (
                  <button type="button" class="button small" onClick={() => setEdited(group)}>
                    Edit {group.name}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </WhenLoaded>
      {isOwner ? (
        <>
          <button type="button" class="button" aria-disabled={adding.isPending} onClick={adding.run}>
            Add group
          </button>
          {adding.error && <Failure error={adding.error} />}
        </>
      ) : (
        <p class="hint">
          Only a workspace owner can add and change groups, because their terms decide what partners are paid.
        </p>
      )}
      {edited === 'new' && <NewGroup onClose={close} onSaved={onSaved} />}
      {edited && edited !== 'new' && <ChangedGroup group={edited} onClose={close} onSaved={onSaved} />}
    </Section>
  );
}

interface GroupDialogProps {
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

const groupIn = ({ name, ...entered }: Entered, currency: string) => ({ name, terms: termsIn(entered, currency) });

/** A form for a new group. At first it contains the terms of the program. */
function NewGroup({ onClose, onSaved }: GroupDialogProps) {
  const { api } = useSession();
  const { program, path } = useProgram();
  return (
    <Dialog title="Add group" onClose={onClose}>
      <Form
        submit="Add group"
        onCancel={onClose}
        onSubmit={async (entered) => {
          await api.send<Group>('POST', `${path}/groups`, groupIn(entered, program.currency));
          await onSaved();
          onClose();
        }}
      >
        <GroupFields terms={program} source="the terms of the group" />
      </Form>
    </Dialog>
  );
}

function ChangedGroup({ group, onClose, onSaved }: GroupDialogProps & { readonly group: Group }) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const { ask, dialog } = useTermsQuestion();

  async function confirm({ terms }: { readonly terms?: unknown }): Promise<boolean> {
    if (terms === undefined || group.partners === 0) return true;
    return ask({
      before: offerText(group.terms, program.currency),
      after: offerText(terms as Terms, program.currency),
      concerns: `The group has ${countOf(group.partners, 'partner')}.`,
    });
  }
  return (
    <Dialog title="Edit group" onClose={onClose}>
      <EditForm
        api={api}
        path={`${path}/groups/${group.id}`}
        of={group}
        submit="Save changes"
        onCancel={onClose}
        fieldsIn={(entered) => groupIn(entered, program.currency)}
        confirm={confirm}
        onSaved={async () => {
          await onSaved();
          onClose();
        }}
        textOf={(field, value) => (field === 'terms' ? termsText(value as Terms, program.currency) : undefined)}
      >
        {({ name, terms }) => <GroupFields name={name} terms={terms} source={`the terms of the group ${name}`} />}
      </EditForm>
      {dialog}
    </Dialog>
  );
}

interface GroupFieldsProps {
  readonly name?: string;
  readonly terms: Terms;
  readonly source: string;
}

function GroupFields({ name, terms, source }: GroupFieldsProps) {
  const { program } = useProgram();
  return (
    <>
      <Field name="name" label="Name" required maxLength={120} defaultValue={name} />
      <TermsFields terms={terms} currency={program.currency} who="A partner" source={source} program={program} />
    </>
  );
}
