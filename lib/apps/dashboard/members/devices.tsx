import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Failure } from '#lib/apps/web/parts/failure.tsx';
import { type Column, Table } from '#lib/apps/web/parts/table.tsx';
import { Day } from '#lib/apps/web/parts/time.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { LoginToken } from '#lib/wire/people.ts';

const kinds = { cli: 'Terminal', dashboard: 'Browser' } as const;

const columns: readonly Column<LoginToken>[] = [
  {
    title: 'Device',
    cell: ({ kind, address, current }) => (
      <>
        <span class="strong">{kind ? kinds[kind] : 'Unknown device'}</span>
        {current && ' (this one)'}
        {address && <div class="muted">{address}</div>}
      </>
    ),
  },
  { title: 'Signed in', cell: ({ created_at: at }) => <Day at={at} /> },
  {
    title: 'Last used',
    cell: ({ last_used_on: day }) => (day ? <Day at={`${day}T00:00:00.000Z`} /> : <span class="muted">Unknown</span>),
  },
];

/** Where the person is signed in, with what ends it. */
export function Devices() {
  const { api } = useSession();
  const tokens = useLoaded(() => api.get<LoginToken[]>('/tokens'), [api]);
  const endOthers = useAction(async () => {
    await api.send('DELETE', '/tokens');
    await tokens.reload();
  });
  const end = {
    title: 'Actions',
    isUntitled: true,
    cell: (token: LoginToken) => !token.current && <EndToken token={token} onEnded={tokens.reload} />,
  };
  return (
    <section>
      <h2>Signed-in devices</h2>
      <p class="hint">Where your own account is signed in. End what you do not know.</p>
      <WhenLoaded of={tokens}>
        {(rows) => (
          <>
            <Table label="Signed-in devices" columns={[...columns, end]} rows={rows} keyOf={({ id }) => id} />
            {endOthers.error && <Failure error={endOthers.error} />}
            {rows.length > 1 && (
              <button type="button" class="button" aria-disabled={endOthers.isPending} onClick={endOthers.run}>
                End all others
              </button>
            )}
          </>
        )}
      </WhenLoaded>
    </section>
  );
}

interface EndTokenProps {
  readonly token: LoginToken;
  readonly onEnded: () => Promise<void>;
}

function EndToken({ token: { id, kind, created_at: at }, onEnded }: EndTokenProps) {
  const { api } = useSession();
  const end = useAction(async () => {
    await api.send('DELETE', `/tokens/${id}`);
    await onEnded();
  });
  return (
    <>
      <button
        type="button"
        class="button small"
        aria-label={`End ${kind ? kinds[kind].toLowerCase() : 'device'} of ${at}`}
        aria-disabled={end.isPending}
        onClick={end.run}
      >
        End
      </button>
      {end.error && <Failure error={end.error} />}
    </>
  );
}
