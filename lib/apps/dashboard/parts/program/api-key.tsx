import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { Snippet } from '#lib/apps/dashboard/parts/snippet.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { environmentLine } from '#lib/apps/dashboard/snippets.ts';
import type { GeneratedKey } from '#lib/wire/programs/program.ts';

interface ApiKeyProps {
  /** True if this program's key was never shown. Generating a new key then breaks no integration. */
  readonly isFirst?: boolean;
  readonly onGenerated?: () => Promise<void>;
}

/** Shows the program key, masked. Owners also get a button that generates a new key and shows it. */
export function ApiKey({ isFirst, onGenerated }: ApiKeyProps) {
  const { api, isOwner } = useSession();
  const { program, path, reload } = useProgram();
  const [isAsking, setAsking] = useState(false);
  const [key, setKey] = useState<string>();

  async function generate(): Promise<void> {
    const { api_key: newKey } = await api.send<GeneratedKey>('POST', `${path}/api-key`);
    setAsking(false);
    setKey(newKey);
    await Promise.all([reload(), onGenerated?.()]);
  }
  const generateFirst = useAction(generate);

  if (key !== undefined) return <NewKey value={key} onStored={() => setKey(undefined)} />;
  return (
    <>
      <dl class="facts">
        <dt>{isFirst ? 'Key' : 'Current key'}</dt>
        <dd>{isFirst ? 'No one has seen it yet' : <code>{program.api_token_masked}</code>}</dd>
        {program.key_rotated_at && (
          <>
            <dt>Generated</dt>
            <dd>
              <Time at={program.key_rotated_at} />
            </dd>
          </>
        )}
        {!isFirst && (
          <>
            <dt>Last used, to the hour</dt>
            <dd>{program.key_last_used_at ? <Time at={program.key_last_used_at} /> : 'Not yet'}</dd>
          </>
        )}
      </dl>
      {!isOwner && <p class="hint">Only a workspace owner can generate a key. Ask one to hand it to you.</p>}
      {isOwner && (
        <button
          type="button"
          class={`button ${isFirst ? 'primary' : ''}`}
          aria-disabled={generateFirst.isPending}
          onClick={() => (isFirst ? generateFirst.run() : setAsking(true))}
        >
          {isFirst ? 'Generate key' : 'Replace key…'}
        </button>
      )}
      {generateFirst.error && <Failure error={generateFirst.error} />}
      {isAsking && (
        <Dialog title="Replace the key?" onClose={() => setAsking(false)}>
          <p>
            The current key <code>{program.api_token_masked}</code> stops working at once. Every call that still carries
            it is answered 401, and sales sent with it are not recorded, until your servers use the new key.
          </p>
          <p>Have your servers' configuration at hand before you continue.</p>
          <Form submit="Replace key" isDangerous onSubmit={generate} onCancel={() => setAsking(false)} />
        </Dialog>
      )}
    </>
  );
}

const NewKey = ({ value, onStored }: { readonly value: string; readonly onStored: () => void }) => (
  <div class="new-key">
    <p role="status">
      <strong>Copy the key now: it is shown only this once.</strong> Keep it on your server, in an environment variable,
      and out of your code and your pages.
    </p>
    <Snippet what="API key" text={value} />
    <p>For the examples on these pages, in your terminal:</p>
    <Snippet what="environment variable" text={environmentLine(value)} />
    <button type="button" class="button primary" onClick={onStored}>
      I have stored it
    </button>
  </div>
);
