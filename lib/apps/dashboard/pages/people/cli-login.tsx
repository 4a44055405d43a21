import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { type Loading, useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { jsonOf, requestTo } from '#lib/apps/web/api/api.ts';
import { claimsIn } from '#lib/apps/web/session/id-token.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Fact, Facts } from '#lib/apps/web/parts/figures/facts.tsx';
import { SinglePage } from '#lib/apps/web/parts/frame/single-page.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import type { LoginRequest } from '#lib/wire/people/login.ts';
import { refusalOf } from '#lib/apps/dashboard/session/cli-login-refusals.ts';
import type { Installation } from '#lib/apps/web/api/installation.ts';
import { beginSignIn } from '#lib/apps/web/session/sign-in.ts';

interface CliLoginPageProps {
  readonly installation: Installation;
  /** The token of a sign-in that was made for this page; undefined before that sign-in, and after a reload. */
  readonly idToken?: string;
}

type Outcome = 'complete' | 'declined';

/** Logs in the command line that has printed this page's address, when the person confirms it. */
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

  const request = useLoaded(() => requestOf(state ?? ''), [state]);

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
        <p>A terminal asks to be signed in to your account.</p>
        <Asking request={request}>
          {identify.error && <Failure error={identify.error} />}
          <button type="button" class="button primary wide" aria-disabled={identify.isPending} onClick={identify.run}>
            Continue to sign in
          </button>
        </Asking>
      </SinglePage>
    );
  }
  return (
    <SinglePage title="Sign in this terminal?">
      <p>
        It will be signed in as <strong>{claimsIn(idToken).email}</strong>: it can read what you can read, create
        programs and send test events, for 90 days or until you run <code>affitor logout</code>.
      </p>
      <Asking request={request}>
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
            Sign in as someone else
          </button>
        </p>
      </Asking>
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

const requestOf = async (state: string): Promise<LoginRequest> => {
  const path = `/api/v1/cli/auth/request?state=${encodeURIComponent(state)}`;
  const reply = await requestTo(path, { method: 'GET' }).catch((error: unknown) => {
    throw refusalOf(error);
  });
  return (await jsonOf<{ readonly data: LoginRequest }>(reply)).data;
};

interface AskingProps {
  readonly request: Loading<LoginRequest>;
  /** The buttons with which the person answers. */
  readonly children: ComponentChildren;
}

/** Shows details by which people recognise their own terminal. A stranger who sends the address cannot forge them. */
const Asking = ({ request, children }: AskingProps) => (
  <WhenLoaded of={request}>
    {({ code, requested_at: at, network }) => (
      <>
        <Facts title="The terminal">
          <Fact name="Code">
            <code class="fingerprint">{code}</code>
          </Fact>
          <Fact name="Asked">
            <Time at={at} />
          </Fact>
          <Fact name="From the network">{network ?? 'unknown'}</Fact>
        </Facts>
        <p class="notice">
          Only continue if you started this yourself, just now, in a terminal that shows the code{' '}
          <strong>{code}</strong>. If someone sent you this address or this code, close the page: they would get into
          your account.
        </p>
        {children}
      </>
    )}
  </WhenLoaded>
);
