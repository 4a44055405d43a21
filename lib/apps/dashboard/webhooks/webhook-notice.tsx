import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { hostOf } from '#lib/apps/dashboard/webhooks/endpoint-status.tsx';
import type { WebhookEndpoint } from '#lib/wire/outbox/webhook.ts';

/**
 * Warns about endpoints that receive nothing. It is loaded with the program, which is loaded again when an endpoint has
 * changed.
 */
export function WebhookNotice() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const loading = useLoaded(() => api.get<readonly WebhookEndpoint[]>(`${path}/webhooks`), [api, path, program]);
  if (loading.state !== 'ready') return null;
  return (
    <>
      {loading.value.map((endpoint) => {
        const { id, status, failing_since: since } = endpoint;
        if (status !== 'disabled' && (status !== 'active' || since === null)) return null;
        return (
          <div class="notice warning" role="status" key={id}>
            <p>{status === 'disabled' ? <Disabled endpoint={endpoint} /> : <Failing endpoint={endpoint} />}</p>
            <p class="notice-links">
              <a href={programPath('webhook', program.id, id)}>Look at its deliveries</a>
            </p>
          </div>
        );
      })}
    </>
  );
}

const Disabled = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => (
  <>
    <strong>The webhook endpoint {hostOf(endpoint)} was disabled.</strong> {endpoint.disabled_reason}. Nothing is sent
    to it until an owner activates it.
  </>
);

const Failing = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => (
  <>
    <strong>The webhook endpoint {hostOf(endpoint)} has taken no deliveries</strong> since{' '}
    <Time at={endpoint.failing_since!} />. After five days it is disabled.
  </>
);
