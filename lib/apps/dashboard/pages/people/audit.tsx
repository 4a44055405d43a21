import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { capitalized } from '#lib/apps/web/format.ts';
import { loadAll } from '#lib/apps/web/api/load-all.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { ListPage } from '#lib/apps/web/lists/list-page.tsx';
import { useList } from '#lib/apps/web/lists/use-list.ts';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { csvOfService, type List } from '#lib/apps/web/lists/list.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { actorKinds, actorOptions } from '#lib/apps/dashboard/audit/audit-actors.ts';
import { auditFilters } from '#lib/apps/dashboard/audit/audit-filters.ts';
import { AuditAmounts } from '#lib/apps/dashboard/audit/audit-items.tsx';
import { type PartnerName, usePartnerNames } from '#lib/apps/dashboard/audit/use-partner-names.ts';
import { targetPage } from '#lib/apps/dashboard/audit/target-page.ts';
import { actionText, changeTexts } from '#lib/apps/dashboard/audit/audit-texts.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';
import type { Member } from '#lib/wire/people/people.ts';

/** @param filterBy programs of the workspace, and people */
const auditList = (partnerName: PartnerName, ...filterBy: Parameters<typeof auditFilters>): List<AuditEntry> => ({
  name: 'audit',
  title: 'Audit list',
  keyOf: ({ id }) => id,
  csv: csvOfService,
  filters: auditFilters(...filterBy),
  columns: [
    { title: 'What', cell: (entry) => <span class="strong">{actionText(entry)}</span> },
    { title: 'When', cell: ({ at }) => <Time at={at} /> },
    {
      title: 'Who',
      cell: ({ actor: { kind, name, email } }) => (
        <>
          <bdi>{name}</bdi>
          <div class="muted whole">{[actorKinds[kind], email].filter(Boolean).join(', ')}</div>
        </>
      ),
    },
    {
      title: 'About',
      cell: ({ target }) => {
        const { type, id, name } = target;
        const page = targetPage(target);
        const text = <bdi>{name ?? `${capitalized(type)} ${id}`}</bdi>;
        return (
          <>
            {page === undefined ? text : <a href={page}>{text}</a>}
            {name !== null && (
              <div class="muted">
                {type} {id}
              </div>
            )}
          </>
        );
      },
    },
    { title: 'Amount', isNumber: true, cell: (entry) => <AuditAmounts entry={entry} title={actionText(entry)} /> },
    {
      title: 'Changes',
      cell: ({ changes, target }) => (
        <ul class="plain-list">
          {changeTexts(changes, (id) => partnerName(target.program_id, id)).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ),
    },
  ],
  empty: (
    <Empty title="Nothing yet">
      <p>Changes that you and your colleagues make appear here.</p>
    </Empty>
  ),
  noMatch: { title: 'No change matches these filters', showAll: 'Show all' },
});

export function AuditPage() {
  const { workspace, isOwner } = useSession();
  const intro = `Who changed what in ${workspace.name}, for two years, newest first.`;
  if (isOwner) return <Entries intro={intro} />;
  return (
    <Page title="Audit list" intro={intro}>
      <p class="muted">Only a workspace owner reads it.</p>
    </Page>
  );
}

function Entries({ intro }: { readonly intro: string }) {
  const { api, programs } = useSession();
  const members = useLoaded(() => loadAll<Member>(api, '/workspace/members'), [api]);
  const open = useList(
    auditList(() => undefined, programs),
    api,
    '/workspace',
  );
  const partnerName = usePartnerNames(open.pages.items ?? []);
  const actors = actorOptions(
    members.state === 'ready' ? members.value : [],
    open.pages.items ?? [],
    open.filters.values['actor_id'] ?? '',
  );
  return <ListPage of={{ ...open, list: auditList(partnerName, programs, actors) }} intro={intro} />;
}
