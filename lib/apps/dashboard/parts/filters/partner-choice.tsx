import type { ComponentChildren } from 'preact';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { loadAll } from '#lib/apps/web/api/load-all.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Select } from '#lib/apps/web/parts/forms/field.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

interface PartnerChoiceProps {
  /** The object that the partner gets, such as `a link`. */
  readonly what: string;
  /** Renders the form. @param field input `partner_id` for an active partner */
  readonly children: (field: ComponentChildren) => ComponentChildren;
}

/** A form in which an active partner is chosen. If there is none, shows a link to the partners page. */
export function PartnerChoice({ what, children }: PartnerChoiceProps) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const partners = useLoaded(() => loadAll<Partner>(api, `${path}/partners`, { status: 'active' }), [api, path]);
  return (
    <WhenLoaded of={partners}>
      {(loaded) =>
        loaded.length === 0 ? (
          <Empty title={`No partner to give ${what} to`}>
            <a class="button" href={programPath('partners', program.id)}>
              Add a partner first
            </a>
          </Empty>
        ) : (
          children(
            <Select
              name="partner_id"
              label="Partner"
              options={loaded.map(({ id, name, email }) => [String(id), `${name} (${email})`])}
            />,
          )
        )
      }
    </WhenLoaded>
  );
}
