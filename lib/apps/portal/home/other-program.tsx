import type { ComponentChildren } from 'preact';
import { dateText } from '#lib/apps/web/format.ts';
import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import { OwnFigures } from '#lib/apps/portal/home/own-figures.tsx';
import { ProgramHead } from '#lib/apps/portal/home/program-head.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import { partnerPath, portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import type { JoinedProgram } from '#lib/wire/partners/portal-program.ts';
import type { ProgramFigures } from '#lib/wire/reports/portal-overview.ts';

type OtherStatus = Exclude<JoinedProgram['status'], 'active'>;

/** A program in which the person is not a partner at present. */
export type NotActive = JoinedProgram & { readonly status: OtherStatus };

export const isNotActive = (program: JoinedProgram): program is NotActive => program.status !== 'active';

const statuses: Readonly<Record<OtherStatus, { readonly tone: Tone; readonly text: string }>> = {
  invited: { tone: 'waiting', text: 'Invited' },
  applied: { tone: 'waiting', text: 'Applied' },
  rejected: { tone: 'bad', text: 'Not accepted' },
  removed: { tone: 'plain', text: 'Ended' },
  expired: { tone: 'plain', text: 'Invitation ended' },
};

interface ProgramProps {
  readonly program: NotActive;
  /** The earnings that an ended partnership still has. */
  readonly figures?: ProgramFigures;
}

/** The card of an invitation, an application or an ended partnership, with the next step. */
export function OtherProgram({ program, figures }: ProgramProps) {
  const { tone, text } = statuses[program.status];
  const { said, action } = situations[program.status](program);
  return (
    <li class="card program-card">
      <ProgramHead program={program} badge={<Badge tone={tone}>{text}</Badge>} />
      {said && <p class="muted">{said}</p>}
      {figures && Object.keys(figures.amounts).length > 0 && <OwnFigures of={figures} />}
      {action}
    </li>
  );
}

interface Told {
  readonly said: ComponentChildren;
  readonly action?: ComponentChildren;
}

const situations: Readonly<Record<OtherStatus, (program: NotActive) => Told>> = {
  invited: ({ program_id: id, brand, invited_at: at }) => ({
    said:
      at === null ? (
        'The brand has listed you as its partner. You decide whether you are.'
      ) : (
        <>
          Invited <Day at={at} />
        </>
      ),
    action: (
      <a class="button primary" href={partnerPath('overview', id)} aria-label={`See the invitation of ${brand.name}`}>
        See the invitation
      </a>
    ),
  }),
  applied: () => ({ said: 'The brand decides about your application.' }),
  expired: () => ({ said: 'This invitation has ended. The brand can invite you again.' }),
  rejected: ({ program_id: id, brand, rejection_reason: reason, may_apply_on: from }) => ({
    said: reason,
    action: (
      <MayApply from={from}>
        <a
          class="button"
          href={portalPaths.join.replace('{program_id}', String(id))}
          aria-label={`Apply again to ${brand.name}`}
        >
          Apply again
        </a>
      </MayApply>
    ),
  }),
  removed: ({ program_id: id, brand, left_at: leftAt }) => ({
    said: (
      <>
        {leftAt === null ? (
          'The brand ended your partnership.'
        ) : (
          <>
            You left on <Day at={leftAt} />.
          </>
        )}{' '}
        What you earned stays here to read.
      </>
    ),
    action: (
      <a class="button" href={partnerPath('overview', id)} aria-label={`Open ${brand.name}`}>
        Open
      </a>
    ),
  }),
};

interface MayApplyProps {
  /** The UTC day from which the person may apply again. */
  readonly from: string | null;
  readonly children: ComponentChildren;
}

/** Shows its children, such as a button to apply again, or says from which day that is possible. */
function MayApply({ from, children }: MayApplyProps) {
  const { api } = useSession();
  if (from === null || from <= api.today()) return <>{children}</>;
  return <p>You can apply again on {dateText(from)}.</p>;
}
