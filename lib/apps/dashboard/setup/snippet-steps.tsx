import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { useInstallation } from '#lib/apps/web/installation-context.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { Snippet } from '#lib/apps/dashboard/parts/snippet.tsx';
import { Tabs } from '#lib/apps/dashboard/parts/tabs.tsx';
import { OriginCheck } from '#lib/apps/dashboard/setup/origin-check.tsx';
import { clickSnippets, leadSnippets, saleSnippets, type SnippetFacts } from '#lib/apps/dashboard/snippets.ts';

const useFacts = (): SnippetFacts => {
  const { program } = useProgram();
  const { base_url: baseUrl } = useInstallation();
  return { baseUrl, programId: program.id, domain: program.domain, currency: program.currency };
};

/** The script tag, and a click without a browser. */
export function ClickStep() {
  const { program } = useProgram();
  const facts = useFacts();
  return (
    <>
      <p>
        Put this into the head of every page of {facts.domain}. It notices visitors of referral links and remembers the
        click in a first-party cookie.
      </p>
      <Snippet what="tracker script" text={clickSnippets.tracker(facts)} />
      <OriginCheck />
      <p>Then open a referral link, or send a test click from your terminal:</p>
      <Snippet what="test click" text={clickSnippets.test(facts)} />
      <p class="hint">
        A test click completes this step. That the tracker works you see when a real click appears under{' '}
        <a href={programPath('events', program.id)}>Events</a>.
      </p>
    </>
  );
}

export function LeadStep() {
  const facts = useFacts();
  return (
    <>
      <p>
        When somebody signs up, send your own id of them as the customer key. Sales name the same id later: it ties both
        together.
      </p>
      <Tabs
        label="Ways to send a signup"
        tabs={[
          { title: 'Test from the terminal', content: <Snippet what="test signup" text={leadSnippets.test(facts)} /> },
          { title: 'Node', content: <Snippet what="signup in Node" text={leadSnippets.node(facts)} /> },
          { title: 'curl', content: <Snippet what="signup with curl" text={leadSnippets.curl(facts)} /> },
          { title: 'Browser', content: <BrowserSignup /> },
        ]}
      />
    </>
  );
}

function BrowserSignup() {
  const { program } = useProgram();
  return (
    <>
      <Snippet what="signup in the browser" text={leadSnippets.browser()} />
      <p class="hint">
        {program.lead_auth === 'server_required'
          ? 'Your program asks for server-side signups: one from the browser stays provisional until your server sends it, or a payment through Stripe confirms it; a sale from your server alone does not.'
          : 'Your program accepts signups from the browser.'}
      </p>
    </>
  );
}

export function SaleStep() {
  const facts = useFacts();
  return (
    <>
      <p>
        When a customer pays, send the sale from your server. The transaction id makes it safe to send twice: it is
        recorded once. {NOT_TWICE}
      </p>
      <Tabs
        label="Ways to send a sale"
        tabs={[
          { title: 'Test from the terminal', content: <Snippet what="test sale" text={saleSnippets.test(facts)} /> },
          { title: 'Node', content: <Snippet what="sale in Node" text={saleSnippets.node(facts)} /> },
          { title: 'curl', content: <Snippet what="sale with curl" text={saleSnippets.curl(facts)} /> },
          { title: 'Stripe', content: <StripeMetadata facts={facts} /> },
        ]}
      />
    </>
  );
}

const NOT_TWICE =
  'Where a card processor is connected, too, a payment counts twice if nothing in the sale names it there: send provider_payment_id, or an id of Stripe’s (cs_, in_, pi_, ch_ or py_) as transaction_id.';

const StripeMetadata = ({ facts }: { readonly facts: SnippetFacts }) => (
  <>
    <Snippet what="metadata for Stripe" text={saleSnippets.stripe(facts)} />
    <p class="hint">
      With a connected processor this is all: there is no need to send the same payments to the sale endpoint.
    </p>
  </>
);
