import { useState } from 'preact/hooks';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';

/** A button with which a member leaves the workspace. The service refuses that to the last owner. */
export function LeaveWorkspace() {
  const { api, workspace, reload } = useSession();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        Leave workspace
      </button>
      {isAsking && (
        <Dialog title={`Leave ${workspace.name}?`} onClose={() => setAsking(false)}>
          <p>You lose access to all programs of this workspace at once. An owner can invite you again.</p>
          <Form
            submit="Leave"
            isDangerous
            onCancel={() => setAsking(false)}
            onSubmit={async () => {
              await api.send('DELETE', '/workspace/members/me');
              await reload();
            }}
          />
        </Dialog>
      )}
    </>
  );
}
