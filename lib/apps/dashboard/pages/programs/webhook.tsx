import { useRoute } from 'preact-iso';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Fact, Facts } from '#lib/apps/web/parts/figures/facts.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { Unknown } from '#lib/apps/dashboard/parts/unknown.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { Deliveries } from '#lib/apps/dashboard/webhooks/deliveries.tsx';
import { EndpointActions } from '#lib/apps/dashboard/webhooks/endpoint-actions.tsx';
import { EndpointStatus, hostOf } from '#lib/apps/dashboard/webhooks/endpoint-status.tsx';
import { eventsText } from '#lib/apps/dashboard/webhooks/event-texts.ts';
import type { WebhookEndpoint } from '#lib/wire/outbox/webhook.ts';

export function WebhookPage() {
  const { endpoint_id: id = '' } = useRoute().params;
  return <OneEndpoint key={id} id={id} />;
}

function OneEndpoint({ id }: { readonly id: string }) {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const address = `${path}/webhooks/${encodeURIComponent(id)}`;
  const loading = useLoaded(() => api.get<WebhookEndpoint>(address), [api, address]);
  const all = <a href={programPath('webhooks', program.id)}>All webhooks</a>;
  if (loading.error?.status === 404) {
    return (
      <Unknown title="There is no such endpoint" name="" ways={all}>
        The address may be mistyped, or the endpoint was deleted.
      </Unknown>
    );
  }
  const endpoint = loading.state === 'ready' ? loading.value : undefined;
  return (
    <Page
      title={endpoint ? hostOf(endpoint) : 'Webhook endpoint'}
      intro={endpoint?.description}
      back={all}
      actions={isOwner && endpoint && <EndpointActions endpoint={endpoint} onChange={loading.replace} />}
    >
      <WhenLoaded of={loading}>
        {(loaded) => (
          <div class="stack">
            <EndpointFacts endpoint={loaded} />
            <Deliveries endpoint={loaded} />
          </div>
        )}
      </WhenLoaded>
    </Page>
  );
}

function EndpointFacts({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { url, events, disabled_reason: reason, failing_since: since, created_at: at } = endpoint;
  return (
    <Facts title="About this endpoint">
      <Fact name="Address">
        <span class="identifier">{url}</span>
      </Fact>
      <Fact name="Events">{eventsText(events)}</Fact>
      <Fact name="Status">
        <EndpointStatus endpoint={endpoint} /> {reason}
      </Fact>
      {since !== null && (
        <Fact name="Failing since">
          <Time at={since} />
        </Fact>
      )}
      <Fact name="Added">
        <Time at={at} />
      </Fact>
    </Facts>
  );
}
