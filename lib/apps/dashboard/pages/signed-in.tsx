import { useEffect, useState } from 'preact/hooks';
import { errorFrom, type ApiError } from '#lib/apps/dashboard/api-error.ts';
import { jsonOf, requestTo } from '#lib/apps/dashboard/api.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import { Failure } from '#lib/apps/dashboard/parts/failure.tsx';
import { SinglePage } from '#lib/apps/dashboard/parts/single-page.tsx';
import { Spinner } from '#lib/apps/dashboard/parts/spinner.tsx';
import type { Installation } from '#lib/apps/dashboard/installation.ts';
import { completeSignIn } from '#lib/apps/dashboard/sign-in.ts';

interface SignedInPageProps {
  readonly installation: Installation;
  readonly onSession: (token: string) => void;
  readonly onTerminal: (idToken: string) => void;
  readonly onDone: (returnTo: string) => void;
}

/** Where the issuer returns to. */
export function SignedInPage({ installation, onSession, onTerminal, onDone }: SignedInPageProps) {
  const [error, setError] = useState<ApiError>();

  useEffect(() => {
    async function complete(): Promise<void> {
      const query = new URLSearchParams(location.search);
      // The code is used up, but it need not stay in the address, nor in the history.
      history.replaceState(null, '', pagePaths.signedIn);
      const { idToken, purpose, returnTo } = await completeSignIn(installation, query);
      if (purpose === 'terminal') onTerminal(idToken);
      else onSession(await loginTokenFor(idToken));
      onDone(returnTo);
    }
    complete().catch((cause: unknown) => setError(errorFrom(cause)));
  }, []);

  if (!error) {
    return (
      <SinglePage title="Signing in">
        <Spinner label="One moment" />
      </SinglePage>
    );
  }
  return (
    <SinglePage title={error.code === 'ACCOUNT_BLOCKED' ? 'Your account is suspended' : 'Sign-in failed'}>
      <Failure error={error} />
      <a class="button primary wide" href={pagePaths.home}>
        Back to sign-in
      </a>
    </SinglePage>
  );
}

/** Trades what the issuer signed for a token of this service. */
async function loginTokenFor(idToken: string): Promise<string> {
  const response = await requestTo('/api/dashboard/v1/session', { method: 'POST', body: { id_token: idToken } });
  const { data } = await jsonOf<{ readonly data: { readonly token: string } }>(response);
  return data.token;
}
