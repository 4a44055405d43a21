import { useId } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { countOf } from '#lib/apps/web/format.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Fact } from '#lib/apps/web/parts/figures/facts.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { Snippet } from '#lib/apps/dashboard/parts/snippet.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { attemptText, DeliveryStatus, noAttemptText } from '#lib/apps/dashboard/webhooks/delivery-status.tsx';
import type { FactRow } from '#lib/wire/outbox/fact.ts';
import type { WebhookDelivery, WebhookEndpoint } from '#lib/wire/outbox/webhook.ts';

interface DeliveryDetailsProps {
  readonly endpoint: WebhookEndpoint;
  readonly delivery: WebhookDelivery;
  readonly onClose: () => void;
}

/** Shows the body of a delivery, and what happened at each attempt. */
export function DeliveryDetails({ endpoint, delivery, onClose }: DeliveryDetailsProps) {
  const { event_id: eventId, event_type: type, attempts, next_attempt_at: next, slowed } = delivery;
  const id = useId();
  return (
    <Dialog title={`Delivery of ${type}`} onClose={onClose}>
      <div class="stack">
        <dl class="facts">
          <Fact name="Request">
            <code class="identifier">POST {endpoint.url}</code>
          </Fact>
          <Fact name="webhook-id">
            <code class="identifier">{eventId}</code> <CopyButton text={eventId} what="webhook-id" />
          </Fact>
          <Fact name="Status">
            <DeliveryStatus delivery={delivery} />
          </Fact>
          {slowed && (
            <Fact name="Slowed">
              It was delayed: a host receives at most ten requests per second, over all programs.
            </Fact>
          )}
          {next !== null && (
            <Fact name="Next attempt">
              <Time at={next} />
            </Fact>
          )}
        </dl>
        <Body eventId={eventId} />
        <h3 id={id}>
          {attempts.length === 0 ? `Attempts: ${noAttemptText(delivery)}` : countOf(attempts.length, 'attempt')}
        </h3>
        <ol class="plain-list stack" aria-labelledby={id}>
          {attempts.toReversed().map((attempt) => (
            <li key={attempt.at}>
              <p>
                <Time at={attempt.at} />: {attemptText(attempt)} <span class="muted">({attempt.duration_ms} ms)</span>
              </p>
              {attempt.response && <Snippet what="beginning of the answer" text={attempt.response} />}
            </li>
          ))}
        </ol>
      </div>
    </Dialog>
  );
}

/** Shows the body. It is the same at each attempt. */
function Body({ eventId }: { readonly eventId: string }) {
  const { api } = useSession();
  const { path } = useProgram();
  const loading = useLoaded(() => api.get<readonly FactRow[]>(`${path}/facts`, { id: eventId }), [api, path, eventId]);
  return (
    <WhenLoaded of={loading}>
      {([fact]) =>
        fact ? (
          <Snippet
            what="body of the request"
            text={JSON.stringify({ type: fact.type, timestamp: fact.timestamp, data: fact.data }, null, 2)}
          />
        ) : (
          <p class="hint">Its body is no longer stored, because the event is older than 30 days.</p>
        )
      }
    </WhenLoaded>
  );
}
