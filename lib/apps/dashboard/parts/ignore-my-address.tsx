import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { sendSeen } from '#lib/apps/web/forms/send-seen.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { sectionPath } from '#lib/apps/dashboard/settings/settings-pages.ts';
import type { Program } from '#lib/wire/programs/program.ts';

/**
 * Returns the addresses to exclude. In IPv6, all devices of a network share the first 64 bits; the other bits change
 * every day.
 */
const rangeOf = (address: string): string => (address.includes(':') ? `${address}/64` : address);

/** A button that excludes clicks from the address of the person who presses it. */
export function IgnoreMyAddress() {
  const { api, isOwner } = useSession();
  const { program, path, reload } = useProgram();
  const [ignored, setIgnored] = useState<string>();
  const ignoring = useAction(async () => {
    const [{ address }, now] = await Promise.all([
      api.get<{ readonly address: string }>('/address'),
      // Another person may have excluded an address since the page was loaded, so the program is loaded again first.
      api.get<Program>(path),
    ]);
    const ignoredAddresses = [...now.ignored_addresses, rangeOf(address)];
    await sendSeen(api, path, now, { ignored_addresses: ignoredAddresses });
    await reload();
    setIgnored(address);
  });
  if (!isOwner)
    return <p class="hint">Only a workspace owner says whose clicks do not count. Ask one to ignore yours.</p>;
  return (
    <div class="stack">
      <p>
        <button type="button" class="button" aria-disabled={ignoring.isPending} onClick={ignoring.run}>
          {ignoring.isPending ? 'One moment…' : 'Ignore my address'}
        </button>
      </p>
      {ignoring.error && <Failure error={ignoring.error} />}
      {ignored !== undefined && (
        <p class="saved" role="status">
          Clicks from {ignored}
          {ignored.includes(':') && ' and the rest of its network'} count as those of bots from now on. Test calls from
          this machine no longer make customers. To undo this, remove the address under{' '}
          <a href={sectionPath(program.id, 'own-clicks')}>Your own clicks</a>.
        </p>
      )}
    </div>
  );
}
