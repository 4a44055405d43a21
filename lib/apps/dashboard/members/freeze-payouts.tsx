import { useState } from 'preact/hooks';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Workspace } from '#lib/wire/people/people.ts';

/** A switch that stops all payouts of the workspace, for example if someone may have taken over an owner's account. */
export function FreezePayouts() {
  const { api } = useSession();
  const workspace = useLoaded(() => api.get<Workspace>('/workspace'), [api]);
  return (
    <section class="card stack" aria-labelledby="freeze">
      <h2 id="freeze">Payouts</h2>
      <WhenLoaded of={workspace} what="Payouts">
        {(loaded) => <Switch isFrozen={loaded.payouts_frozen} onChange={workspace.replace} />}
      </WhenLoaded>
    </section>
  );
}

interface SwitchProps {
  readonly isFrozen: boolean;
  readonly onChange: (workspace: Workspace) => void;
}

function Switch({ isFrozen, onChange }: SwitchProps) {
  const { api, isOwner } = useSession();
  const [isAsking, setAsking] = useState(false);
  const change = useAction(async () => {
    onChange(await api.send<Workspace>('PATCH', '/workspace', { payouts_frozen: !isFrozen }));
    setAsking(false);
  });
  return (
    <>
      <p>
        {isFrozen
          ? 'Payouts are frozen in all programs: none is recorded or voided, and no file with account numbers can be downloaded.'
          : 'If something looks wrong, such as an account in other hands, freeze the payouts of all programs until you have looked. While they are frozen, no payout is recorded or voided, and no file with account numbers can be downloaded. Tracking and commissions go on.'}
      </p>
      {!isOwner && <p class="hint">A workspace owner freezes and thaws them.</p>}
      {isOwner && isFrozen && <p class="hint">To thaw them you must have signed in within the last 15 minutes.</p>}
      {isOwner && !isAsking && (
        <div>
          <button type="button" class="button" onClick={() => setAsking(true)}>
            {isFrozen ? 'Thaw payouts…' : 'Freeze payouts…'}
          </button>
        </div>
      )}
      {isOwner && isAsking && (
        <div class="form-buttons">
          <button
            type="button"
            class={`button ${isFrozen ? 'primary' : 'danger'}`}
            aria-disabled={change.isPending}
            onClick={change.run}
          >
            {isFrozen ? 'Thaw payouts of all programs' : 'Freeze payouts of all programs'}
          </button>
          <button type="button" class="button" onClick={() => setAsking(false)}>
            Cancel
          </button>
        </div>
      )}
      {change.error && <Failure error={change.error} />}
    </>
  );
}
