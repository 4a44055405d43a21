import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { useInstallation } from '#lib/apps/web/api/installation-context.ts';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { processorFailureText } from '#lib/apps/dashboard/program/processor-failures.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { ConnectButton } from '#lib/apps/dashboard/settings/integrations/connect-button.tsx';
import { DisconnectButton } from '#lib/apps/dashboard/settings/integrations/disconnect-button.tsx';
import { ProcessorFacts } from '#lib/apps/dashboard/settings/integrations/processor-facts.tsx';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';
import { SigningSecret } from '#lib/apps/dashboard/settings/integrations/signing-secret.tsx';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Processor } from '#lib/wire/conversions/processor.ts';

/** Settings for Stripe, whose payments become sales automatically. */
export function ProcessorSection(heading: SectionHeading) {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const { query } = useLocation();
  const { stripe_connect: canConnect } = useInstallation();
  const processor = useLoaded(() => api.get<Processor>(`${path}/processor`), [api, path]);
  const [changes, setChanges] = useState(0);
  // What happened when the person tried to connect is shown until the settings are changed.
  const outcome = changes === 0 ? query.processor : undefined;

  const [isLeftBehind, setLeftBehind] = useState(false);

  async function onChange(leftBehind = false): Promise<void> {
    setLeftBehind(leftBehind);
    setChanges((before) => before + 1);
    await processor.reload();
  }
  return (
    <Section
      {...heading}
      intro="Stripe sends payments, renewals and refunds automatically, and you need no code. If your own webhook forwards Stripe’s events, connect nothing here. If your server also sends such a payment to the sale endpoint, it counts twice, unless the sale has the payment intent’s id (pi_) as provider_payment_id, or the id of the session or invoice as transaction_id."
    >
      {outcome === 'connected' && (
        <p class="saved" role="status">
          The processor is connected.
        </p>
      )}
      {outcome === 'error' && (
        <div class="failure" role="alert">
          <p>{processorFailureText(query.reason)}</p>
        </div>
      )}
      {isLeftBehind && (
        <div class="failure" role="alert">
          <p>
            Disconnected here, but Stripe could not be notified. Open your Stripe account’s settings and remove this
            platform from the installed apps.
          </p>
        </div>
      )}
      <WhenLoaded of={processor} what="Card processor">
        {(loaded) => (
          <div class="stack">
            <ProcessorFacts processor={loaded} />
            <p class="hint">
              A payment is missing?{' '}
              <a href={programPath('payments', program.id)}>Payments that did not become a sale</a> says why.
            </p>
            {isOwner ? (
              <>
                {canConnect && <ConnectButton key={changes} processor={loaded} />}
                <SigningSecret processor={loaded} onSaved={() => onChange()} />
                {loaded.connected && <DisconnectButton onDisconnected={onChange} />}
              </>
            ) : (
              <p class="hint">Only a workspace owner can connect or disconnect the processor.</p>
            )}
          </div>
        )}
      </WhenLoaded>
    </Section>
  );
}
