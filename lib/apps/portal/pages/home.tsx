import type { ComponentChildren } from 'preact';
import { dateText } from '#lib/apps/web/format.ts';
import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import { useExported } from '#lib/apps/portal/parts/use-exported.ts';
import { useSession } from '#lib/apps/portal/session.ts';
import { partnerPath, portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import type { ExportedPerson } from '#lib/wire/reports/portal-export.ts';
import type { JoinedProgram } from '#lib/wire/partners/portal-program.ts';

/** The programs of the account. Programs that need a response come first. */
export function HomePage() {
  const { me } = useSession();
  const programs = me.programs.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  const parting = useExported(programs.some(({ status }) => status === 'rejected' || status === 'removed'));
  return (
    <Page title="Your programs" intro="The brands that you recommend, and those that asked you to.">
      {programs.length === 0 ? (
        <div class="card">
          <Empty title="You are in no program yet">
            <p>
              A brand adds you by the address <strong>{me.account.email}</strong>, or gives you the address of its page
              to join. If you were invited with another address, sign in with that one.
            </p>
          </Empty>
        </div>
      ) : (
        <ul class="program-list plain-list">
          {programs.map((program) => (
            <ProgramCard
              key={program.program_id}
              program={program}
              parting={parting.state === 'ready' ? parting.value.get(program.program_id) : undefined}
            />
          ))}
        </ul>
      )}
    </Page>
  );
}

type PartnerStatus = JoinedProgram['status'];

const order: readonly PartnerStatus[] = ['invited', 'active', 'applied', 'expired', 'rejected', 'removed'];

const statuses: Readonly<Record<PartnerStatus, { readonly tone: Tone; readonly text: string }>> = {
  active: { tone: 'good', text: 'Partner' },
  invited: { tone: 'waiting', text: 'Invited' },
  applied: { tone: 'waiting', text: 'Applied' },
  rejected: { tone: 'bad', text: 'Not accepted' },
  removed: { tone: 'plain', text: 'Ended' },
  expired: { tone: 'plain', text: 'Invitation ended' },
};

interface ProgramProps {
  readonly program: JoinedProgram;
  /** How the partnership ended; undefined until it is loaded. */
  readonly parting?: Parting;
}

type Parting = Pick<ExportedPerson['programs'][number], 'left_at' | 'may_apply_on'>;

function ProgramCard({ program, parting }: ProgramProps) {
  const { tone, text } = statuses[program.status];
  return (
    <li class="card program-card">
      <div>
        <h2>
          <bdi>{program.name}</bdi>
        </h2>
        <p class="muted">{program.domain}</p>
      </div>
      <p>
        <Badge tone={tone}>{text}</Badge> {program.sandbox && <Badge>Sandbox</Badge>}
      </p>
      <Situation program={program} parting={parting} />
    </li>
  );
}

/** The person's status in the program, and the next step. */
function Situation({ program, parting }: ProgramProps) {
  const { text, action } = situations[program.status](program, parting);
  return (
    <>
      {text && <p class="muted">{text}</p>}
      {action}
    </>
  );
}

interface Told {
  readonly text: ComponentChildren;
  readonly action?: ComponentChildren;
}

const openButton = ({ program_id: id, name }: JoinedProgram) => (
  <a class="button" href={partnerPath('overview', id)} aria-label={`Open ${name}`}>
    Open
  </a>
);

const situations: Readonly<Record<PartnerStatus, (program: JoinedProgram, parting?: Parting) => Told>> = {
  active: (program) => ({
    text: program.terms_to_accept === null ? since('Since', program.joined_at) : 'New terms wait for your answer.',
    action: openButton(program),
  }),
  invited: ({ program_id: id, name, invited_at: at }) => ({
    text: at === null ? 'The brand has listed you as its partner. You decide whether you are.' : since('Invited', at),
    action: (
      <a class="button primary" href={partnerPath('overview', id)} aria-label={`Look at the invitation of ${name}`}>
        Look at the invitation
      </a>
    ),
  }),
  applied: () => ({ text: 'The brand decides about your application.' }),
  expired: () => ({ text: 'This invitation has ended. The brand can invite you again.' }),
  rejected: ({ program_id: id, name, rejection_reason: reason }, parting) => ({
    text: reason,
    action: parting && (
      <MayApply from={parting.may_apply_on}>
        <a
          class="button"
          href={portalPaths.join.replace('{program_id}', String(id))}
          aria-label={`Apply again to ${name}`}
        >
          Apply again
        </a>
      </MayApply>
    ),
  }),
  removed: (program, parting) => ({
    text: (
      <>
        {parting?.left_at && (
          <>
            You left on <Day at={parting.left_at} />.{' '}
          </>
        )}
        {parting?.left_at === null && 'The brand ended your partnership. '}
        What you earned stays here to read.
      </>
    ),
    action: openButton(program),
  }),
};

interface MayApplyProps {
  /** The UTC day from which the person may apply again. */
  readonly from: string | null;
  readonly children: ComponentChildren;
}

/** A link to apply again, or the day from which that is possible. */
function MayApply({ from, children }: MayApplyProps) {
  const { api } = useSession();
  if (from === null || from <= api.today()) return <>{children}</>;
  return <p>You can apply again on {dateText(from)}.</p>;
}

const since = (word: string, at: string | null): ComponentChildren =>
  at && (
    <>
      {word} <Day at={at} />
    </>
  );
