import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { Snippet } from '#lib/apps/dashboard/parts/snippet.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { stripeEvents } from '#lib/apps/dashboard/settings/integrations/stripe-events.ts';
import type { Processor } from '#lib/wire/conversions/processor.ts';

interface SigningSecretProps {
  readonly processor: Processor;
  readonly onSaved: () => Promise<void>;
}

/** A form for brands that connect no account: they add an endpoint in Stripe themselves and enter its secret. */
export function SigningSecret({ processor, onSaved }: SigningSecretProps) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const [savings, setSavings] = useState(0);
  const { webhook_url: webhookUrl, signing_secret_set: isSet } = processor;
  return (
    <details class="direct-endpoint" open={isSet}>
      <summary>Or use a direct endpoint</summary>
      <p>In Stripe, under Developers → Webhooks, add an endpoint with this address:</p>
      <Snippet what="webhook address" text={webhookUrl} />
      <p>Select these events for it, then paste its signing secret below:</p>
      <Snippet what="Stripe events" text={stripeEvents.join('\n')} />
      {isSet && (
        <p class="hint">
          The secret has not been checked yet. If it is wrong, Stripe shows refused deliveries (400) at the endpoint.
          Recorded payments appear under <a href={programPath('events', program.id)}>Events</a>.
        </p>
      )}
      <Form
        // A changed key makes Preact create a new form after saving, so that the secret does not stay on the page.
        key={savings}
        submit={isSet ? 'Replace secret' : 'Save secret'}
        onSubmit={async ({ signing_secret: secret }) => {
          await api.send<Processor>('PUT', `${path}/processor`, { signing_secret: secret });
          setSavings(savings + 1);
          await onSaved();
        }}
      >
        <Field
          name="signing_secret"
          label="Signing secret"
          type="password"
          autocomplete="off"
          placeholder="whsec_…"
          required
          hint={
            isSet
              ? 'A secret is stored. After a replacement, the old one works for 24 more hours.'
              : 'It is stored encrypted and never shown again.'
          }
        />
      </Form>
    </details>
  );
}
