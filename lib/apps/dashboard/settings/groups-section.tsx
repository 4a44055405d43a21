import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { countOf } from '#lib/apps/web/format.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { loadAll } from '#lib/apps/web/load-all.ts';
import { Dialog } from '#lib/apps/web/parts/dialog.tsx';
import { Field } from '#lib/apps/web/parts/field.tsx';
import { Form } from '#lib/apps/web/parts/form.tsx';
import { TermsFields } from '#lib/apps/dashboard/parts/terms-fields.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/when-loaded.tsx';
import { termsIn } from '#lib/apps/dashboard/program-fields.ts';
import { useSession } from '#lib/apps/dashboard/session.ts';
import { Section, type SectionHeading } from '#lib/apps/web/parts/section.tsx';
import { termsText } from '#lib/apps/web/terms-texts.ts';
import type { Group } from '#lib/wire/terms.ts';

/** Groups of partners with terms of their own. */
export function GroupsSection(heading: SectionHeading) {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const loading = useLoaded(() => loadAll<Group>(api, `${path}/groups`), [api, path]);
  const [edited, setEdited] = useState<Group | 'new'>();
  return (
    <Section
      {...heading}
      intro="Partners of a group are paid by its terms instead of those above. On a partner's page you choose the group, or terms for that partner alone."
    >
      <WhenLoaded of={loading}>
        {(groups) => (
          <ul class="plain-list">
            {groups.map((group) => (
              <li key={group.id} class="section-header">
                <div>
                  <strong>{group.name}</strong>, {countOf(group.partners, 'partner')}
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
        <button type="button" class="button" onClick={() => setEdited('new')}>
          Add group
        </button>
      ) : (
        <p class="hint">Only a workspace owner adds and changes groups: their terms decide what partners are paid.</p>
      )}
      {edited && (
        <GroupDialog
          group={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={loading.reload}
        />
      )}
    </Section>
  );
}

interface GroupDialogProps {
  /** Absent for a new one. */
  readonly group?: Group;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

function GroupDialog({ group, onClose, onSaved }: GroupDialogProps) {
  const { api } = useSession();
  const { program, path } = useProgram();
  return (
    <Dialog title={group ? 'Edit group' : 'Add group'} onClose={onClose}>
      <Form
        submit={group ? 'Save changes' : 'Add group'}
        onCancel={onClose}
        onSubmit={async ({ name, ...entered }) => {
          const fields = { name, terms: termsIn(entered, program.currency) };
          await (group
            ? api.send<Group>('PATCH', `${path}/groups/${group.id}`, fields)
            : api.send<Group>('POST', `${path}/groups`, fields));
          await onSaved();
          onClose();
        }}
      >
        <Field name="name" label="Name" required maxLength={120} defaultValue={group?.name} />
        <TermsFields
          terms={group?.terms}
          currency={program.currency}
          who="A partner"
          source={group ? `the terms of the group ${group.name}` : 'the terms of the group'}
        />
      </Form>
    </Dialog>
  );
}
