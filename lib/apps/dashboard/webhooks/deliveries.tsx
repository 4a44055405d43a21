import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { usePolled } from '#lib/apps/dashboard/hooks/use-polled.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { FilterBar } from '#lib/apps/web/parts/table/filter-bar.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { DeliveryDetails } from '#lib/apps/dashboard/webhooks/delivery-details.tsx';
import { attemptText, DeliveryStatus, noAttemptText } from '#lib/apps/dashboard/webhooks/delivery-status.tsx';
import { ReplayDays } from '#lib/apps/dashboard/webhooks/replay-days.tsx';
import type { WebhookDelivery, WebhookEndpoint } from '#lib/wire/outbox/webhook.ts';

const PAGE = 25;
const POLL_SECONDS = 5;

/** Lists what was sent to an endpoint and what will be sent, with buttons that send it again. */
export function Deliveries({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { api } = useSession();
  const { path } = useProgram();
  const filters = useFilters({ status: '' });
  const { status } = filters.values;
  const address = `${path}/webhooks/${endpoint.id}`;
  const pages = usePages<WebhookDelivery>(api, `${address}/deliveries`, { status });
  const [shownId, setShownId] = useState<string>();
  const [isReplaying, setReplaying] = useState(false);
  const test = useAction(async () => {
    await api.send<WebhookDelivery>('POST', `${address}/test`);
    await pages.reload();
  });
  const items = pages.items ?? [];
  const isWaiting = items.some((delivery) => delivery.status === 'pending') && items.length <= PAGE;
  usePolled(pages.reload, isWaiting && endpoint.status === 'active' ? POLL_SECONDS : undefined);
  const shown = items.find(({ id }) => id === shownId);
  const canSend = endpoint.status !== 'disabled';
  return (
    <section aria-labelledby="deliveries">
      <div class="section-header">
        <h2 id="deliveries">Deliveries of the last 30 days</h2>
        {canSend && (
          <div class="page-actions">
            <button type="button" class="button small" aria-disabled={test.isPending} onClick={() => test.run()}>
              Send test
            </button>
            <button type="button" class="button small" onClick={() => setReplaying(true)}>
              Send events again…
            </button>
          </div>
        )}
      </div>
      {test.error && <Failure error={test.error} />}
      <FilterBar filters={filters}>
        <ChoiceFilter
          label="Status"
          value={status}
          onChange={(to) => filters.change({ status: to })}
          options={[
            ['', 'All'],
            ['pending', 'Pending'],
            ['delivered', 'Delivered'],
            ['failed', 'Failed'],
          ]}
        />
      </FilterBar>
      <PagedTable
        label="Deliveries"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Event',
            cell: ({ event_type: type }) => <span class="strong event-name">{type}</span>,
          },
          { title: 'Status', cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
          { title: 'Last attempt', cell: (delivery) => <LastAttempt delivery={delivery} /> },
          {
            title: 'Next attempt',
            cell: ({ next_attempt_at: at }) => <NextAttempt at={at} endpoint={endpoint} />,
          },
          { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
          {
            title: 'Actions',
            isUntitled: true,
            cell: (delivery) => (
              <>
                <button
                  type="button"
                  class="button small"
                  aria-label={`Show ${delivery.event_type} ${delivery.event_id}`}
                  onClick={() => setShownId(delivery.id)}
                >
                  Show
                </button>{' '}
                {canSend && (
                  <SendAgain
                    address={address}
                    delivery={delivery}
                    onQueued={(now) => pages.replace(({ id }) => id === now.id, now)}
                  />
                )}
              </>
            ),
          },
        ]}
        empty={
          status === '' ? (
            <Empty title="Nothing was sent yet">
              <p>Send a test, or wait for the next event.</p>
            </Empty>
          ) : (
            <Empty title="No delivery has this status">
              <button type="button" class="button" onClick={filters.reset}>
                Show all
              </button>
            </Empty>
          )
        }
      />
      {shown && <DeliveryDetails endpoint={endpoint} delivery={shown} onClose={() => setShownId(undefined)} />}
      {isReplaying && <ReplayDays endpoint={endpoint} onClose={() => setReplaying(false)} onQueued={pages.reload} />}
    </section>
  );
}

function LastAttempt({ delivery }: { readonly delivery: WebhookDelivery }) {
  const last = delivery.attempts.at(-1);
  if (!last) return <span class="muted">{noAttemptText(delivery)}</span>;
  return <>{attemptText(last)}</>;
}

interface NextAttemptProps {
  readonly at: WebhookDelivery['next_attempt_at'];
  readonly endpoint: WebhookEndpoint;
}

function NextAttempt({ at, endpoint }: NextAttemptProps) {
  if (at === null) return <span class="muted">–</span>;
  return endpoint.status === 'paused' ? <span class="muted">When it is active</span> : <Time at={at} />;
}

interface SendAgainProps {
  readonly address: string;
  readonly delivery: WebhookDelivery;
  readonly onQueued: (delivery: WebhookDelivery) => void;
}

function SendAgain({ address, delivery, onQueued }: SendAgainProps) {
  const { api } = useSession();
  const { id, event_type: type, event_id: eventId } = delivery;
  const replay = useAction(async () =>
    onQueued(await api.send<WebhookDelivery>('POST', `${address}/deliveries/${encodeURIComponent(id)}/replay`)),
  );
  return (
    <>
      <button
        type="button"
        class="button small"
        aria-label={`Send again: ${type} ${eventId}`}
        aria-disabled={replay.isPending}
        onClick={() => replay.run()}
      >
        Send again
      </button>
      {replay.error && <Failure error={replay.error} />}
    </>
  );
}
