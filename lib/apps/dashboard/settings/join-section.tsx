import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { JoinAddress } from '#lib/apps/dashboard/parts/program/join-address.tsx';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Checkbox, Field, Select, TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';
import { settingChoices } from '#lib/apps/dashboard/program/setting-choices.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';

const joiningIn = (entered: Entered) => ({
  join: entered.join,
  // A text that is not a number is sent as it is, for the service to reject.
  links_per_partner: /^\d+$/.test(entered.links_per_partner ?? '')
    ? Number(entered.links_per_partner)
    : entered.links_per_partner,
  partner_terms: entered.partner_terms,
  share_customer_emails: entered.share_customer_emails === 'on',
});

/** A form for how people become partners, which terms they accept, and what they may see and create. */
export function JoinSection(heading: SectionHeading) {
  const { api } = useSession();
  const { program, path, reload } = useProgram();

  return (
    <Section
      {...heading}
      intro="Who may become a partner, and what partners see and do on their pages. Partners must accept new terms before they can change anything."
    >
      {program.join !== 'closed' && (
        <p>
          <JoinAddress program={program} />
        </p>
      )}
      <EditForm
        api={api}
        path={path}
        of={program}
        submit="Save rules for partners"
        saysSaved
        fieldsIn={joiningIn}
        onSaved={reload}
      >
        {(shown) => (
          <>
            <Select name="join" label="Who becomes a partner" value={shown.join} options={settingChoices.join} />
            <TextArea
              name="partner_terms"
              label="Terms for partners"
              rows={6}
              hint="The terms that partners must accept, for example where they may not advertise. Include your contact details, because partners look for them here. Empty: no terms. Each change creates a new version."
              defaultValue={shown.partner_terms ?? ''}
            />
            <Field
              name="links_per_partner"
              label="Links that a partner may make"
              inputMode="numeric"
              size={8}
              required
              hint="0 to 50. It does not limit you."
              defaultValue={String(shown.links_per_partner)}
            />
            <Checkbox
              name="share_customer_emails"
              label="Show partners the addresses of their customers, masked"
              hint="For example j***@example.com. If off, they see no addresses."
              defaultChecked={shown.share_customer_emails}
            />
          </>
        )}
      </EditForm>
    </Section>
  );
}
