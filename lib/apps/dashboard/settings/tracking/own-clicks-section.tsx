import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { IgnoreMyAddress } from '#lib/apps/dashboard/parts/ignore-my-address.tsx';
import { linesIn } from '#lib/apps/dashboard/program/program-fields.ts';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { OwnersFields } from '#lib/apps/dashboard/parts/program/owners-fields.tsx';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';
import { wideRangesIn } from '#lib/apps/dashboard/settings/tracking/wide-ranges.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';

/** A form for the brand's own addresses. Clicks from these addresses do not count. */
export function OwnClicksSection(heading: SectionHeading) {
  const { api, isOwner } = useSession();
  const { program, path, reload } = useProgram();
  const wide = wideRangesIn(program.ignored_addresses);

  return (
    <Section
      {...heading}
      intro="Clicks from these addresses count as clicks by bots: they create no customers, and no partner earns from them."
    >
      {isOwner && <IgnoreMyAddress />}
      {wide.length > 0 && (
        <div class="notice warning" role="status">
          <p>
            {wide.join(', ')} {wide.length === 1 ? 'covers' : 'cover'} much of the internet. Customers’ clicks from
            there count as those of bots, so no partner earns by them.
          </p>
        </div>
      )}
      <EditForm
        api={api}
        path={path}
        of={program}
        submit="Save addresses"
        saysSaved
        isReadOnly={!isOwner}
        fieldsIn={(entered) => ({ ignored_addresses: linesIn(entered.ignored_addresses) })}
        onSaved={reload}
      >
        {(shown) => (
          <OwnersFields>
            <TextArea
              name="ignored_addresses"
              isList
              label="Ignored addresses"
              rows={4}
              hint="Single addresses such as 203.0.113.7, or ranges such as 203.0.113.0/24 or 2001:db8:1:2::/64, one per line. The addresses of homes and mobile phones change from time to time."
              defaultValue={shown.ignored_addresses.join('\n')}
            />
          </OwnersFields>
        )}
      </EditForm>
    </Section>
  );
}
