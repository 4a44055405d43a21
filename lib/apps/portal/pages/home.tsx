import type { ComponentChildren } from 'preact';
import { Badge, type Tone } from '#lib/apps/web/parts/badge.tsx';
import { Empty } from '#lib/apps/web/parts/empty.tsx';
import { Page } from '#lib/apps/web/parts/page.tsx';
import { Day } from '#lib/apps/web/parts/time.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import { partnerPath, portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import type { JoinedProgram } from '#lib/wire/portal/program.ts';

/** The programs of the account; what waits for an answer comes first. */
export function HomePage() {
  const { me } = useSession();
  const programs = me.programs.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
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
            <ProgramCard key={program.program_id} program={program} />
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
  removed: { tone: 'plain', text: 'Left' },
  expired: { tone: 'plain', text: 'Invitation ended' },
};

function ProgramCard({ program }: { readonly program: JoinedProgram }) {
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
        <Badge tone={tone}>{text}</Badge>
      </p>
      <Situation program={program} />
    </li>
  );
}

/** Where the person stands with the program, and what to do next. */
function Situation({ program }: { readonly program: JoinedProgram }) {
  const { text, action } = situations[program.status](program);
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

const situations: Readonly<Record<PartnerStatus, (program: JoinedProgram) => Told>> = {
  active: (program) => ({
    text: program.terms_to_accept === null ? since('Since', program.joined_at) : 'New terms wait for your answer.',
    action: openButton(program),
  }),
  invited: ({ program_id: id, name, invited_at: at }) => ({
    text: since('Invited', at),
    action: (
      <a class="button primary" href={partnerPath('overview', id)} aria-label={`Look at the invitation of ${name}`}>
        Look at the invitation
      </a>
    ),
  }),
  applied: () => ({ text: 'The brand decides about your application.' }),
  expired: () => ({ text: 'You did not answer within 30 days. Ask the brand to invite you again.' }),
  rejected: ({ program_id: id, name, rejection_reason: reason }) => ({
    text: reason,
    action: (
      <a
        class="button"
        href={portalPaths.join.replace('{program_id}', String(id))}
        aria-label={`Apply again to ${name}`}
      >
        Apply again
      </a>
    ),
  }),
  removed: (program) => ({ text: 'What you earned stays here to read.', action: openButton(program) }),
};

const since = (word: string, at: string | null): ComponentChildren =>
  at && (
    <>
      {word} <Day at={at} />
    </>
  );
