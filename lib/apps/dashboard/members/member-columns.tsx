import { dateText } from '#lib/apps/web/format.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { Initials } from '#lib/apps/web/parts/figures/initials.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import type { Member } from '#lib/wire/people/people.ts';

export const memberColumns: readonly Column<Member>[] = [
  {
    title: 'Person',
    cell: ({ name, email }) => (
      <div class="person">
        <Initials of={name ?? email} />
        <div>
          <span class="strong">{name ?? email}</span>
          {name && <div class="muted">{email}</div>}
        </div>
      </div>
    ),
  },
  { title: 'Role', cell: ({ role }) => (role === 'owner' ? 'Owner' : 'Member') },
  {
    title: 'State',
    cell: ({ status }) =>
      status === 'active' ? <Badge tone="good">Active</Badge> : <Badge tone="waiting">Invited</Badge>,
  },
  { title: 'Joined', cell: ({ joined_at: at }) => (at ? dateText(at) : <span class="muted">Not yet</span>) },
];
