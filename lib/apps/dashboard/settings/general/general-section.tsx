import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { namesIn } from '#lib/apps/dashboard/program/program-fields.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';

export function GeneralSection(heading: SectionHeading) {
  const { api, reload: reloadPrograms } = useSession();
  const { program, path, reload } = useProgram();
  return (
    <Section {...heading} intro="The program’s name for you and its partners, and the site that it sells.">
      <EditForm
        api={api}
        path={path}
        of={program}
        submit="Save program"
        saysSaved
        fieldsIn={namesIn}
        onSaved={async () => void (await Promise.all([reload(), reloadPrograms()]))}
      >
        {(shown) => (
          <>
            <Field name="name" label="Name" required maxLength={120} defaultValue={shown.name} />
            <Field
              name="domain"
              label="Site"
              required
              hint="The host name that referral links lead to, such as acme.com."
              defaultValue={shown.domain}
            />
          </>
        )}
      </EditForm>
    </Section>
  );
}
