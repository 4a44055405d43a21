import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { AccentPreview } from '#lib/apps/dashboard/settings/brand/accent-preview.tsx';
import { ColorField } from '#lib/apps/dashboard/settings/brand/color-field.tsx';
import { LogoField } from '#lib/apps/dashboard/settings/brand/logo-field.tsx';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { type Loading, useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Field, TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';
import { Skeleton } from '#lib/apps/web/parts/table/skeleton.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import type { Brand } from '#lib/wire/programs/brand/brand.ts';

/** A form for how the program appears to partners, on their pages and in mails. */
export function BrandSection(heading: SectionHeading) {
  const { api } = useSession();
  const { path } = useProgram();
  const loading = useLoaded(() => api.get<Brand>(`${path}/brand`), [api, path]);
  return (
    <Section
      {...heading}
      intro="Partners see this instead of our name: on the page where they join, at the sign-in, on their pages and in mails."
    >
      <WhenLoaded of={loading} pending={<Skeleton lines={24} />}>
        {(brand) => <BrandFields brand={brand} onChanged={loading.replace} />}
      </WhenLoaded>
    </Section>
  );
}

interface BrandFieldsProps {
  readonly brand: Brand;
  readonly onChanged: Loading<Brand>['replace'];
}

/** Converts what was entered to the fields of a request. An empty field removes the stored value. */
const textsIn = ({ display_name, accent_color, welcome, contact_email }: Entered) => ({
  display_name: display_name || null,
  accent_color: accent_color || null,
  welcome: welcome || null,
  contact_email: contact_email || null,
});

function BrandFields({ brand, onChanged }: BrandFieldsProps) {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  return (
    <>
      {isOwner && <LogoField brand={brand} onChanged={onChanged} />}
      <AccentPreview
        brand={{ name: brand.display_name ?? program.name, logo_url: brand.logo?.url ?? null, accent: brand.accent }}
        color={brand.accent_color}
      />
      <EditForm
        api={api}
        path={`${path}/brand`}
        of={brand}
        submit="Save brand"
        saysSaved
        isReadOnly={!isOwner}
        fieldsIn={textsIn}
        onSaved={onChanged}
      >
        {(shown) => (
          <fieldset class="owners-fields" disabled={!isOwner}>
            {!isOwner && <p class="hint">Only a workspace owner changes the brand.</p>}
            <Field
              name="display_name"
              label="Name"
              maxLength={60}
              placeholder={program.name}
              hint="Also the sender of mails to partners. Empty: the name of the program."
              defaultValue={shown.display_name ?? ''}
            />
            <ColorField defaultValue={shown.accent_color ?? ''} />
            <TextArea
              name="welcome"
              label="Welcome"
              rows={4}
              hint="At the top of the page where people join, as plain text."
              defaultValue={shown.welcome ?? ''}
            />
            <Field
              name="contact_email"
              label="Contact"
              type="email"
              hint="For questions of partners: on their pages, and for replies to mails."
              defaultValue={shown.contact_email ?? ''}
            />
          </fieldset>
        )}
      </EditForm>
    </>
  );
}
