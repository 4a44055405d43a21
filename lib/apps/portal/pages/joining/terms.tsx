import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { countOf, moneyText } from '#lib/apps/web/format.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Fact, Facts } from '#lib/apps/web/parts/figures/facts.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { Outcome } from '#lib/apps/web/parts/forms/outcome.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Minute } from '#lib/apps/web/parts/figures/time.tsx';
import { termsText, versionText } from '#lib/apps/web/terms-texts.ts';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { AcceptTerms, TermsText } from '#lib/apps/portal/parts/terms-text.tsx';
import { useSession } from '#lib/apps/portal/session.ts';

/** Shows the partner's commission, and the terms that the partner has accepted. */
export function TermsPage() {
  const { program } = useProgram();
  const [isNew, setNew] = useState(false);
  const { terms, terms_in_force: earned, currency, minimum_payout_cents: minimum } = program;
  return (
    <Page title="Terms" intro="What you earn, and what you and the brand agreed on.">
      <div class="stack">
        <Facts title="What you earn">
          <Fact name="You earn">
            {termsText(earned, currency)}
            <div class="hint">{versionText(earned)}</div>
          </Fact>
          <Fact name="A click counts for">
            {countOf(program.window_days, 'day')}
            <div class="hint">Whoever signs up within this time after the first click stays your customer.</div>
          </Fact>
          <Fact name="Waits for refunds">
            {countOf(earned.hold_period_days, 'day')}
            <div class="hint">
              A refund within this time takes its share of the commission back. A later one is taken from your next
              payout.
            </div>
          </Fact>
          {minimum > 0 && (
            <Fact name="Smallest payout">
              {moneyText(minimum, currency)}
              <div class="hint">What is less waits for the next payout.</div>
            </Fact>
          )}
        </Facts>
        {terms ? (
          <>
            <TermsText text={terms.text} />
            {terms.accepted_at ? (
              <Accepted isNew={isNew}>
                You accepted version {terms.version} on <Minute at={terms.accepted_at} />.
              </Accepted>
            ) : (
              <Accept version={terms.version} onAccepted={() => setNew(true)} />
            )}
          </>
        ) : (
          <div class="card">
            <Empty title="There are no further terms">
              <p>If the brand writes some, you are asked to accept them here.</p>
            </Empty>
          </div>
        )}
      </div>
    </Page>
  );
}

interface AcceptedProps {
  /** Whether the person has accepted the terms just now. */
  readonly isNew: boolean;
  readonly children: ComponentChildren;
}

const Accepted = ({ isNew, children }: AcceptedProps) =>
  isNew ? <Outcome>{children}</Outcome> : <p class="muted">{children}</p>;

interface AcceptProps {
  readonly version: number;
  readonly onAccepted: () => void;
}

function Accept({ version, onAccepted }: AcceptProps) {
  const { reload: reloadSession } = useSession();
  const { api, path, mayChange, reload } = useProgram();
  if (!mayChange) return <p class="muted">These terms are not accepted yet.</p>;
  return (
    <section class="card form-card" aria-label="Your answer">
      <Form
        submit="Accept the terms"
        onSubmit={async () => {
          await api.send('POST', `${path}/terms`, { version });
          onAccepted();
          await Promise.all([reload(), reloadSession()]);
        }}
      >
        <AcceptTerms />
      </Form>
    </section>
  );
}
