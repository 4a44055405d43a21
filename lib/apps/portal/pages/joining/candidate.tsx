import { useState } from 'preact/hooks';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Fact, Facts } from '#lib/apps/web/parts/figures/facts.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { countOf } from '#lib/apps/web/format.ts';
import { termsText } from '#lib/apps/web/terms-texts.ts';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { AcceptTerms, TermsText } from '#lib/apps/portal/parts/terms-text.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';

const others = {
  applied: ['Your application is with the brand', 'The brand decides, and you find its answer here.'],
  expired: [
    'This invitation has ended',
    'Its 30 days are over, it was withdrawn, or you declined it. The brand can invite you again.',
  ],
} as const;

/** For a person who is not a partner yet: shows the invitation, or the state of the application. */
export function CandidatePage() {
  const { program } = useProgram();
  if (program.status === 'invited') return <Invitation />;
  const [title, text] = others[program.status === 'expired' ? 'expired' : 'applied'];
  return (
    <Page title={program.name}>
      <div class="card">
        <Empty title={title}>
          <p>{text}</p>
          <a href={portalPaths.home}>Your programs</a>
        </Empty>
      </div>
    </Page>
  );
}

function Invitation() {
  const { reload: reloadSession } = useSession();
  const { program, api, path, reload, isOwnersView } = useProgram();
  const { terms, terms_in_force: earned, currency } = program;
  const { welcome } = program.brand;
  const [isDeclining, setDeclining] = useState(false);

  async function accept(): Promise<void> {
    await api.send('POST', `${path}/accept`, terms ? { terms_version: terms.version } : {});
    await Promise.all([reload(), reloadSession()]);
  }
  return (
    <Page
      title={`${program.name} invites you`}
      intro={
        welcome === null
          ? `Recommend ${program.domain}, and earn something for every customer whom you bring.`
          : undefined
      }
    >
      <div class="stack">
        {welcome !== null && <p class="written">{welcome}</p>}
        <Facts title="What you get">
          <Fact name="You earn">{termsText(earned, currency)}</Fact>
          <Fact name="A click counts for">{countOf(program.window_days, 'day')}</Fact>
          <Fact name="Waits for refunds">{countOf(earned.hold_period_days, 'day')}</Fact>
        </Facts>
        <p class="notice">
          If you accept, {program.name} will see where to pay you: your payout details, also those that you enter later,
          until you leave. Before that it sees nothing of your account.
        </p>
        {terms && <TermsText text={terms.text} />}
        {!isOwnersView && (
          <section class="card" aria-label="Your answer">
            <Form
              submit="Accept the invitation"
              onSubmit={accept}
              further={
                <button type="button" class="button" onClick={() => setDeclining(true)}>
                  Decline…
                </button>
              }
            >
              {terms && <AcceptTerms />}
            </Form>
          </section>
        )}
      </div>
      {isDeclining && <Decline onClose={() => setDeclining(false)} />}
    </Page>
  );
}

function Decline({ onClose }: { readonly onClose: () => void }) {
  const { reload: reloadSession } = useSession();
  const { program, api, path, reload } = useProgram();
  return (
    <Dialog title="Decline the invitation?" onClose={onClose}>
      <p>Only {program.name} can invite you again.</p>
      <Form
        submit="Decline the invitation"
        isDangerous
        onSubmit={async () => {
          await api.send('POST', `${path}/decline`);
          await Promise.all([reload(), reloadSession()]);
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
