import type { Api } from '#lib/apps/web/api/api.ts';
import { minuteText } from '#lib/apps/web/format.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { type Column, Table } from '#lib/apps/web/parts/table/table.tsx';
import { DayOfUtc, Minute } from '#lib/apps/web/parts/figures/time.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import type { LoginToken } from '#lib/wire/people/people.ts';

const kinds = { cli: 'Terminal', dashboard: 'Browser' } as const;

const columns: readonly Column<LoginToken>[] = [
  {
    title: 'Device',
    cell: ({ kind, browser, address, place, current }) => (
      <>
        <span class="strong">{browser ?? kinds[kind]}</span>
        {current && ' (this one)'}
        {(address ?? place) && <div class="muted">{[place, address].filter(Boolean).join(', ')}</div>}
      </>
    ),
  },
  { title: 'Signed in', cell: ({ created_at: at }) => <Minute at={at} /> },
  { title: 'Last used', cell: ({ last_used_on: day }) => <DayOfUtc on={day} /> },
];

/**
 * Lists the person's sessions, each with a button that ends it.
 * @param api of the dashboard, which knows all sessions
 */
export function Devices({ api }: { readonly api: Api }) {
  const tokens = useLoaded(() => api.get<LoginToken[]>('/tokens'), [api]);
  const endOthers = useAction(async () => {
    await api.send('DELETE', '/tokens');
    await tokens.reload();
  });
  const end = {
    title: 'Actions',
    isUntitled: true,
    cell: (token: LoginToken) => !token.current && <EndToken api={api} token={token} onEnded={tokens.reload} />,
  };
  return (
    <section aria-labelledby="devices">
      <div class="section-header first">
        <div>
          <h2 id="devices">Signed-in devices</h2>
          <p class="hint">Where your own account is signed in. End what you do not know.</p>
        </div>
        {tokens.state === 'ready' && tokens.value.length > 1 && (
          <button type="button" class="button" aria-disabled={endOthers.isPending} onClick={endOthers.run}>
            End all others
          </button>
        )}
      </div>
      {endOthers.error && <Failure error={endOthers.error} />}
      <div class="card table-card">
        <WhenLoaded of={tokens}>
          {(rows) => <Table label="Signed-in devices" columns={[...columns, end]} rows={rows} keyOf={({ id }) => id} />}
        </WhenLoaded>
      </div>
    </section>
  );
}

interface EndTokenProps {
  readonly api: Api;
  readonly token: LoginToken;
  readonly onEnded: () => Promise<void>;
}

function EndToken({ api, token: { id, kind, created_at: at }, onEnded }: EndTokenProps) {
  const end = useAction(async () => {
    await api.send('DELETE', `/tokens/${id}`);
    await onEnded();
  });
  return (
    <>
      <button
        type="button"
        class="button small"
        aria-label={`End ${kinds[kind].toLowerCase()} of ${minuteText(at)}`}
        aria-disabled={end.isPending}
        onClick={end.run}
      >
        End
      </button>
      {end.error && <Failure error={end.error} />}
    </>
  );
}
