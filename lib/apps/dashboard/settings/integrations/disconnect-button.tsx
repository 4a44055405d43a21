import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Processor } from '#lib/wire/conversions/processor.ts';

type Disconnected = Processor & { readonly deauthorized?: boolean };

export function DisconnectButton({
  onDisconnected,
}: {
  readonly onDisconnected: (isLeftBehind: boolean) => Promise<void>;
}) {
  const { api } = useSession();
  const { path } = useProgram();
  const [isAsking, setAsking] = useState(false);
  return (
    <div>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        Disconnect…
      </button>
      {isAsking && (
        <Dialog title="Disconnect the processor?" onClose={() => setAsking(false)}>
          <p>
            Payments, renewals and refunds no longer arrive automatically, and a stored signing secret is deleted.
            Recorded sales stay.
          </p>
          <Form
            submit="Disconnect"
            isDangerous
            onCancel={() => setAsking(false)}
            onSubmit={async () => {
              const { deauthorized } = await api.send<Disconnected>('DELETE', `${path}/processor`);
              setAsking(false);
              await onDisconnected(deauthorized === false);
            }}
          />
        </Dialog>
      )}
    </div>
  );
}
