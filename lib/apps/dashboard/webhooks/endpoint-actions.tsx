import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { sendSeen } from '#lib/apps/web/forms/send-seen.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { EndpointFields, endpointIn } from '#lib/apps/dashboard/webhooks/endpoint-form.tsx';
import { hostOf } from '#lib/apps/dashboard/webhooks/endpoint-status.tsx';
import { NewSecret } from '#lib/apps/dashboard/webhooks/new-secret.tsx';
import type { WebhookEndpoint, WebhookSecret } from '#lib/wire/outbox/webhook.ts';

interface EndpointActionsProps {
  readonly endpoint: WebhookEndpoint;
  readonly onChange: (endpoint: WebhookEndpoint) => void;
}

/** What an owner can do with an endpoint. */
export function EndpointActions({ endpoint, onChange }: EndpointActionsProps) {
  const { api } = useSession();
  // The program is loaded again too, because a notice above the pages warns about its endpoints.
  const { path, reload } = useProgram();
  const [opened, setOpened] = useState<'edit' | 'secret' | 'delete'>();
  const close = () => setOpened(undefined);
  const address = `${path}/webhooks/${endpoint.id}`;
  async function show(changed: WebhookEndpoint): Promise<void> {
    onChange(changed);
    await reload();
  }
  const isActive = endpoint.status === 'active';
  const toggle = useAction(async () =>
    show(await sendSeen(api, address, endpoint, { status: isActive ? 'paused' : 'active' })),
  );
  return (
    <>
      <button type="button" class="button small" onClick={() => setOpened('edit')}>
        Edit
      </button>
      <button type="button" class="button small" aria-disabled={toggle.isPending} onClick={() => toggle.run()}>
        {isActive ? 'Pause' : 'Activate'}
      </button>
      <button type="button" class="button small" onClick={() => setOpened('secret')}>
        Replace secret…
      </button>
      <button type="button" class="button small" onClick={() => setOpened('delete')}>
        Delete…
      </button>
      {toggle.error && <Failure error={toggle.error} />}
      {opened === 'edit' && (
        <Dialog title="Edit endpoint" onClose={close}>
          <EditForm
            api={api}
            path={address}
            of={endpoint}
            submit="Save changes"
            onCancel={close}
            fieldsIn={endpointIn}
            onSaved={async (saved) => {
              await show(saved);
              close();
            }}
          >
            {(shown) => <EndpointFields endpoint={shown} />}
          </EditForm>
        </Dialog>
      )}
      {opened === 'secret' && <ReplaceSecret address={address} onClose={close} />}
      {opened === 'delete' && <DeleteEndpoint endpoint={endpoint} address={address} onClose={close} />}
    </>
  );
}

interface AskingProps {
  readonly address: string;
  readonly onClose: () => void;
}

function ReplaceSecret({ address, onClose }: AskingProps) {
  const { api } = useSession();
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) {
    return (
      <Dialog title="The new secret" onClose={onClose}>
        <NewSecret secret={secret} onStored={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Replace the signing secret?" onClose={onClose}>
      <p>
        For 24 hours, deliveries are signed with both secrets, so that you can update your server. Then the present one
        stops working.
      </p>
      <Form
        submit="Replace secret"
        onCancel={onClose}
        onSubmit={async () => {
          const { secret: newSecret } = await api.send<WebhookSecret>('POST', `${address}/secret`);
          setSecret(newSecret);
        }}
      />
    </Dialog>
  );
}

function DeleteEndpoint({ endpoint, address, onClose }: AskingProps & { readonly endpoint: WebhookEndpoint }) {
  const { api } = useSession();
  const { program, reload } = useProgram();
  const { route } = useLocation();
  return (
    <Dialog title="Delete the endpoint?" onClose={onClose}>
      <p>
        Nothing more is sent to <strong>{hostOf(endpoint)}</strong>, what waits for it included, and its deliveries are
        no longer shown. To stop it for a while, pause it instead.
      </p>
      <Form
        submit="Delete endpoint"
        isDangerous
        onCancel={onClose}
        onSubmit={async () => {
          await api.send<WebhookEndpoint>('DELETE', address);
          route(programPath('webhooks', program.id), true);
          await reload();
        }}
      />
    </Dialog>
  );
}
