import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { requestTo } from '#lib/apps/web/api.ts';
import { claimsIn } from '#lib/apps/web/id-token.ts';
import { Failure } from '#lib/apps/web/parts/failure.tsx';
import { SinglePage } from '#lib/apps/web/parts/single-page.tsx';
import { refusalOf } from '#lib/apps/dashboard/cli-login-refusals.ts';
import type { Installation } from '#lib/apps/web/installation.ts';
import { beginSignIn } from '#lib/apps/web/sign-in.ts';

interface CliLoginPageProps {
  readonly installation: Installation;
  /** Of a sign-in that was made for this page; absent before it, and after a reload. */
  readonly idToken?: string;
}

type Outcome = 'complete' | 'declined';

/** Signs in the terminal that printed this page's address. Nothing happens before the person says so. */
export function CliLoginPage({ installation, idToken }: CliLoginPageProps) {
  const { query, url } = useLocation();
  const [outcome, setOutcome] = useState<Outcome>();
  const { state } = query;

  const identify = useAction(() => beginSignIn(installation, { purpose: 'terminal', returnTo: url }));
  const confirm = useAction(async () => {
    const body = { state, id_token: idToken };
    await requestTo('/api/v1/cli/auth/callback', { method: 'POST', body }).catch((error: unknown) => {
      throw refusalOf(error);
    });
    setOutcome('complete');
  });

  if (!state) return <Incomplete />;
  if (outcome) return <Finished outcome={outcome} />;
  if (confirm.error?.status) {
    return (
      <SinglePage title="The terminal was not signed in">
        <Failure error={confirm.error} />
      </SinglePage>
    );
  }
  if (idToken === undefined) {
    return (
      <SinglePage title="Sign in a terminal">
        <p>
          A terminal asks to act for your account. Its request is <Fingerprint state={state} />; the address in the
          terminal contains the same characters.
        </p>
        <p>
          Continue only if you started <code>affitor login</code> yourself within the last five minutes.
        </p>
        {identify.error && <Failure error={identify.error} />}
        <button type="button" class="button primary wide" aria-disabled={identify.isPending} onClick={identify.run}>
          Continue to sign in
        </button>
      </SinglePage>
    );
  }
  return (
    <SinglePage title="Sign in this terminal?">
      <p>
        Request <Fingerprint state={state} /> will be signed in as <strong>{claimsIn(idToken).email}</strong>. That
        terminal can do everything you can, for 90 days or until you run <code>affitor logout</code>.
      </p>
      {confirm.error && <Failure error={confirm.error} />}
      <div class="form-buttons">
        <button type="button" class="button primary" aria-disabled={confirm.isPending} onClick={confirm.run}>
          {confirm.isPending ? 'One moment…' : 'Sign in this terminal'}
        </button>
        <button type="button" class="button" onClick={() => setOutcome('declined')}>
          Cancel
        </button>
      </div>
      <p class="hint">
        Not you?{' '}
        <button type="button" class="link" onClick={identify.run}>
          Sign in as somebody else
        </button>
      </p>
    </SinglePage>
  );
}

const Incomplete = () => (
  <SinglePage title="This address is incomplete">
    <p>
      Run <code>affitor login</code> again and open the whole address that it prints.
    </p>
  </SinglePage>
);

const Finished = ({ outcome }: { readonly outcome: Outcome }) =>
  outcome === 'complete' ? (
    <SinglePage title="The terminal is signed in">
      <p role="status">Go back to it. You can close this page.</p>
    </SinglePage>
  ) : (
    <SinglePage title="Cancelled">
      <p role="status">The terminal was not signed in. Its request ends by itself. You can close this page.</p>
    </SinglePage>
  );

/** Enough of the request's state to tell it from another one. */
const Fingerprint = ({ state }: { readonly state: string }) => (
  <code class="fingerprint">
    {state.slice(0, 4)}…{state.slice(-4)}
  </code>
);
