import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { targetPage } from '#lib/apps/dashboard/audit/target-page.ts';
import { actionText, changeTexts } from '#lib/apps/dashboard/audit/audit-texts.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';

const actorKinds = { account: '', agent_key: 'A tool', partner: 'A partner' } as const;

export const auditColumns: readonly Column<AuditEntry>[] = [
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
    title: 'Of',
    cell: ({ target }) => {
      const { type, id, name } = target;
      const page = targetPage(target);
      const text = <bdi>{name ?? id}</bdi>;
      return (
        <>
          {page === undefined ? text : <a href={page}>{text}</a>}
          <div class="muted">
            {type} {name === null ? '' : id}
          </div>
        </>
      );
    },
  },
  {
    title: 'Changes',
    cell: ({ changes }) => (
      <ul class="plain-list">
        {changeTexts(changes).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    ),
  },
];
