import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { useLoaded } from '#lib/apps/dashboard/hooks/use-loaded.ts';
import { loadAll } from '#lib/apps/dashboard/load-all.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { Empty } from '#lib/apps/dashboard/parts/empty.tsx';
import { Field, Select } from '#lib/apps/dashboard/parts/field.tsx';
import { Form } from '#lib/apps/dashboard/parts/form.tsx';
import { WhenLoaded } from '#lib/apps/dashboard/parts/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { Partner, ReferralLink } from '#lib/wire/partner.ts';

interface AddLinkProps {
  readonly onClose: () => void;
  readonly onAdded: () => Promise<void>;
}

export function AddLink({ onClose, onAdded }: AddLinkProps) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const partners = useLoaded(() => loadAll<Partner>(api, `${path}/partners`, { status: 'active' }), [api, path]);

  return (
    <WhenLoaded of={partners}>
      {(loaded) =>
        loaded.length === 0 ? (
          <Empty title="No partner to give a link to">
            <a class="button" href={programPath('partners', program.id)}>
              Add a partner first
            </a>
          </Empty>
        ) : (
          <Form
            submit="Add link"
            onCancel={onClose}
            onSubmit={async ({ partner_id: partnerId, short_link: shortLink, destination_url: destinationUrl }) => {
              await api.send<ReferralLink>('POST', `${path}/links`, {
                partner_id: Number(partnerId),
                short_link: shortLink || undefined,
                destination_url: destinationUrl || undefined,
              });
              await onAdded();
              onClose();
            }}
          >
            <Select
              name="partner_id"
              label="Partner"
              options={loaded.map(({ id, name, email }) => [String(id), `${name} (${email})`])}
            />
            <Field
              name="short_link"
              label="Name of the link"
              hint="3 to 64 letters, digits, - and _. It stands in the address, and no other link may have it. Empty: one is made up."
            />
            <Field
              name="destination_url"
              label="Leads to"
              placeholder={`${program.allowed_origins[0] ?? `https://${program.domain}`}/`}
              hint="A page of your site. Empty: its start."
            />
          </Form>
        )
      }
    </WhenLoaded>
  );
}
