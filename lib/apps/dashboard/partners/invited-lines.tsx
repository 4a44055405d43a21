import { type InvitationLine, refusalText } from '#lib/apps/dashboard/partners/invitation-lines.ts';
import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { Table } from '#lib/apps/web/parts/table/table.tsx';
import type { Invited } from '#lib/wire/partners/invited.ts';

/** A line of the list with the service's answer. */
export type AnsweredLine = Omit<InvitationLine, 'email'> & Invited;

const states: Readonly<Record<Invited['status'], readonly [Tone, string]>> = {
  ready: ['good', 'Ready'],
  invited: ['good', 'Invited'],
  refused: ['bad', 'Refused'],
};

interface InvitedLinesProps {
  readonly label: string;
  readonly of: readonly AnsweredLine[];
}

/** The state of each line of a list of invitations; refused ones come first. */
export function InvitedLines({ label, of }: InvitedLinesProps) {
  const numbered = of.map((line, index) => ({ ...line, number: index + 1 }));
  const rows = [
    ...numbered.filter(({ status }) => status === 'refused'),
    ...numbered.filter(({ status }) => status !== 'refused'),
  ];
  return (
    <Table
      label={label}
      rows={rows}
      keyOf={({ number }) => number}
      columns={[
        {
          title: 'Person',
          cell: ({ name, email, number }) => (
            <>
              <bdi>{name ?? (email || `Line ${number}`)}</bdi>
              {name !== undefined && email !== '' && <div class="muted">{email}</div>}
            </>
          ),
        },
        {
          title: 'State',
          cell: ({ status, error, group, code, ...line }) => (
            <>
              <Badge tone={states[status][0]}>{states[status][1]}</Badge>
              <div class="muted">
                {error === null ? [group, code].filter(Boolean).join(', ') : refusalText(error, line)}
              </div>
            </>
          ),
        },
      ]}
    />
  );
}
