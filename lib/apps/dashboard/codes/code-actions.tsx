import { useState } from 'preact/hooks';
import { DiscountField, StripeCodeField } from '#lib/apps/dashboard/codes/code-form.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { sendSeen } from '#lib/apps/web/forms/send-seen.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Code } from '#lib/wire/programs/codes/code.ts';

interface CodeActionsProps {
  readonly code: Code;
  readonly onChange: (code: Code) => void;
}

/** What an owner can do with a code. A shop may still accept a disabled code, but its partner gets no commission. */
export function CodeActions({ code, onChange }: CodeActionsProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [isEditing, setEditing] = useState(false);
  const isActive = code.status === 'active';
  const address = `${path}/codes/${encodeURIComponent(code.code)}`;
  const toggle = useAction(async () =>
    onChange(await sendSeen(api, address, code, { status: isActive ? 'disabled' : 'active' })),
  );
  return (
    <>
      <button
        type="button"
        class="button small"
        aria-label={`${isActive ? 'Disable' : 'Enable'} code ${code.code}`}
        aria-disabled={toggle.isPending}
        onClick={toggle.run}
      >
        {isActive ? 'Disable' : 'Enable'}
      </button>{' '}
      <button type="button" class="button small" aria-label={`Edit code ${code.code}`} onClick={() => setEditing(true)}>
        Edit
      </button>
      {toggle.error && <Failure error={toggle.error} />}
      {isEditing && (
        <Dialog title={`Code ${code.code}`} onClose={() => setEditing(false)}>
          <EditForm
            api={api}
            path={address}
            of={code}
            submit="Save"
            onCancel={() => setEditing(false)}
            fieldsIn={({ discount, processor_code_id: processorCodeId }) => ({
              discount,
              processor_code_id: processorCodeId,
            })}
            onSaved={(saved) => {
              onChange(saved);
              setEditing(false);
            }}
          >
            {(shown) => (
              <>
                <DiscountField value={shown.discount} />
                <StripeCodeField value={shown.processor_code_id} />
              </>
            )}
          </EditForm>
        </Dialog>
      )}
    </>
  );
}
