import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { PartnerCombobox } from '#lib/apps/dashboard/parts/filters/partner-combobox.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

interface PartnerChoiceProps {
  /** What the partner gets, such as `a link`. */
  readonly what: string;
  /** Returns the form. @param field an input `partner_id` with which an active partner is chosen */
  readonly children: (field: ComponentChildren) => ComponentChildren;
}

/** A form in which an active partner is chosen. If the program has none, links to the list of partners. */
export function PartnerChoice({ what, children }: PartnerChoiceProps) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const first = useLoaded(
    () => api.get<readonly Partner[]>(`${path}/partners`, { status: 'active', limit: 1 }),
    [api, path],
  );
  return (
    <WhenLoaded of={first}>
      {(loaded) =>
        loaded.length === 0 ? (
          <Empty title={`No partner to give ${what} to`}>
            <a class="button" href={programPath('partners', program.id)}>
              Add a partner first
            </a>
          </Empty>
        ) : (
          children(<PartnerField />)
        )
      }
    </WhenLoaded>
  );
}

/** The input `partner_id` of the form. It is empty at first. */
function PartnerField() {
  const id = useId();
  const [chosen, setChosen] = useState('');
  return (
    <div class="field combobox">
      <label for={id}>Partner</label>
      <PartnerCombobox id={id} value={chosen} onChange={setChosen} placeholder="Name or e-mail" isRequired isActive />
      <input type="hidden" name="partner_id" value={chosen} />
    </div>
  );
}
