import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useInstallation } from '#lib/apps/web/api/installation-context.ts';
import { sectionPath } from '#lib/apps/dashboard/settings/settings-pages.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { Snippet } from '#lib/apps/dashboard/parts/snippet.tsx';
import { Tabs } from '#lib/apps/dashboard/parts/filters/tabs.tsx';
import { stripeEvents } from '#lib/apps/dashboard/settings/integrations/stripe-events.ts';
import { OriginCheck } from '#lib/apps/dashboard/setup/origin-check.tsx';
import { clickSnippets, leadSnippets, saleSnippets, type SnippetFacts } from '#lib/apps/dashboard/snippets.ts';

const useFacts = (): SnippetFacts => {
  const { program } = useProgram();
  const { base_url: baseUrl } = useInstallation();
  return { baseUrl, programId: program.id, domain: program.domain, currency: program.currency };
};

/** Shows the script tag for the brand's pages, and a command that sends a click. */
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
        Payments of Stripe come by themselves, or your webhook forwards them. With another processor, send each payment
        from your server: first payments and renewals. {NOT_TWICE}
      </p>
      <p>
        A payment of a subscription is a renewal if this customer has paid for the subscription before. The service
        knows that by itself. <code>subscription_id</code> makes it exact; <code>is_recurring: true</code> is needed
        only where you send none. So send <code>subscription_id</code> with each payment of a subscription, the first
        one too: a payment with neither counts as a single purchase, which every program pays for.
      </p>
      <Tabs
        label="Ways to send a sale"
        tabs={[
          { title: 'Test from the terminal', content: <Snippet what="test sale" text={saleSnippets.test(facts)} /> },
          { title: 'Stripe', content: <StripePayments facts={facts} /> },
          { title: 'Node', content: <Snippet what="sale in Node" text={saleSnippets.node(facts)} /> },
          { title: 'curl', content: <Snippet what="sale with curl" text={saleSnippets.curl(facts)} /> },
        ]}
      />
      <p class="hint">
        When money goes back, send it to <code>/api/v1/track/refund</code> with a <code>refund_id</code> of your own and
        its amount: it counts once, and the partner’s commission shrinks with it. What was wrong is sent again under the
        same id with the right amount and <code>correction: true</code>. Of a dispute that you won, that is{' '}
        <code>{'{transaction_id, refund_id, refund_amount_cents: 0, correction: true}'}</code>. A refund that comes
        before its sale answers 404 and is not kept: send it again once the sale is recorded.
      </p>
    </>
  );
}

const NOT_TWICE =
  'Where Stripe’s events come too, from Stripe itself or forwarded, a payment counts twice if nothing in the sale names it there: send the id of the payment intent (pi_) as provider_payment_id, or that of the session (cs_) or invoice (in_) as transaction_id.';

/** Explains two ways to report Stripe's payments. The first one needs no code. */
function StripePayments({ facts }: { readonly facts: SnippetFacts }) {
  const { program } = useProgram();
  return (
    <>
      <p>Name the customer in Stripe’s metadata:</p>
      <Snippet what="metadata for Stripe" text={saleSnippets.stripe()} />
      <p>
        Then let Stripe tell the service, without further code:{' '}
        <a href={sectionPath(program.id, 'processor')}>connect it in the settings</a>.
      </p>
      <p>Or forward what your own webhook receives. The same happens:</p>
      <Snippet what="forwarded events of Stripe" text={saleSnippets.forward(facts)} />
      <p class="hint">
        A sale by <code>/api/v1/track/sale</code> for each payment of Stripe is no third way: it loses upgrades, manual
        invoices and disputes.
      </p>
      <p>Select these events in Stripe, for either way:</p>
      <Snippet what="Stripe events" text={stripeEvents.join('\n')} />
    </>
  );
}
