import { withScheme } from '#lib/apps/web/forms/with-scheme.ts';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import type { PortalLink } from '#lib/wire/partners/partner.ts';

interface NewLinkProps {
  readonly onClose: () => void;
  readonly onMade: (link: PortalLink) => Promise<void>;
}

/** A form with which a partner creates a link. */
export function NewLink({ onClose, onMade }: NewLinkProps) {
  const { program, api, path } = useProgram();
  return (
    <Form
      submit="Make the link"
      onCancel={onClose}
      onSubmit={async ({ short_link: shortLink, destination_url: destinationUrl }) => {
        const link = await api.send<PortalLink>('POST', `${path}/links`, {
          short_link: shortLink || undefined,
          destination_url: withScheme(destinationUrl ?? '') || undefined,
        });
        await onMade(link);
      }}
    >
      <Field
        name="short_link"
        label="Name of the link"
        hint="3 to 64 letters, digits, - and _, such as the name of a campaign. It is part of the address. Leave it empty to get a generated name."
      />
      <Field
        name="destination_url"
        label="Leads to"
        placeholder={`https://${program.domain}/`}
        hint={`A page of ${program.domain}. Leave it empty for the start page.`}
      />
    </Form>
  );
}
