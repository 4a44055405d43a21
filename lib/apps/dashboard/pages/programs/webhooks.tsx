import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { EndpointFields, endpointIn } from '#lib/apps/dashboard/webhooks/endpoint-form.tsx';
import { EndpointStatus } from '#lib/apps/dashboard/webhooks/endpoint-status.tsx';
import { eventsText } from '#lib/apps/dashboard/webhooks/event-texts.ts';
import { NewSecret } from '#lib/apps/dashboard/webhooks/new-secret.tsx';
import type { NewWebhookEndpoint, WebhookEndpoint } from '#lib/wire/outbox/webhook.ts';

/** The page on which a brand manages its webhook endpoints. */
export function WebhooksPage() {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const pages = usePages<WebhookEndpoint>(api, `${path}/webhooks`);
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title="Webhooks"
      intro="What happens in this program is sent to these addresses, signed, and sent again for days while they cannot be reached."
      actions={
        isOwner && (
          <button type="button" class="button primary" onClick={() => setAdding(true)}>
            Add endpoint
          </button>
        )
      }
    >
      <PagedTable
        label="Webhook endpoints"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Address',
            cell: ({ id, url, description }) => (
              <>
                <a class="identifier wide" href={programPath('webhook', program.id, id)}>
                  {url}
                </a>
                {description && <div class="hint">{description}</div>}
              </>
            ),
          },
          { title: 'Events', cell: ({ events }) => eventsText(events) },
          { title: 'Status', cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
          { title: 'Added', cell: ({ created_at: at }) => <Day at={at} /> },
        ]}
        empty={
          <Empty title="No endpoints yet">
            <p>
              {isOwner
                ? 'Add the address of a server of yours: it is notified of every sale, refund and commission.'
                : 'A workspace owner adds the address of a server that is notified of sales, refunds and commissions.'}
            </p>
          </Empty>
        }
      />
      {isAdding && <AddEndpoint onClose={() => setAdding(false)} onAdded={pages.reload} />}
    </Page>
  );
}

interface AddEndpointProps {
  readonly onClose: () => void;
  readonly onAdded: () => Promise<void>;
}

function AddEndpoint({ onClose, onAdded }: AddEndpointProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [secret, setSecret] = useState<string>();
  return (
    <Dialog title={secret === undefined ? 'Add endpoint' : 'Endpoint added'} onClose={onClose}>
      {secret === undefined ? (
        <Form
          submit="Add endpoint"
          onCancel={onClose}
          onSubmit={async (entered) => {
            const created = await api.send<NewWebhookEndpoint>('POST', `${path}/webhooks`, endpointIn(entered));
            setSecret(created.secret);
            await onAdded();
          }}
        >
          <EndpointFields />
        </Form>
      ) : (
        <NewSecret secret={secret} onStored={onClose} />
      )}
    </Dialog>
  );
}
