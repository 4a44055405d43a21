import { OwnersFields } from '#lib/apps/dashboard/parts/program/owners-fields.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { attributionIn, originsIn } from '#lib/apps/dashboard/program/program-fields.ts';
import { settingChoices } from '#lib/apps/dashboard/program/setting-choices.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Field, Select, TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';

/** Where clicks and signups may come from, and how a customer is attributed to a partner. */
export function TrackingSection(heading: SectionHeading) {
  const { api, isOwner } = useSession();
  const { program, path, reload } = useProgram();
  return (
    <Section {...heading} intro="Which sites report clicks and signups, and which partner gets a customer.">
      <EditForm
        api={api}
        path={path}
        of={program}
        submit="Save tracking"
        saysSaved
        fieldsIn={(entered) => ({ ...originsIn(entered), ...(isOwner && attributionIn(entered)) })}
        onSaved={reload}
      >
        {(shown) => (
          <>
            <TextArea
              name="allowed_origins"
              isList
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
            </OwnersFields>
          </>
        )}
      </EditForm>
    </Section>
  );
}
