import { useEffect, useState } from 'preact/hooks';
import { BrandContext } from '#lib/apps/web/brand/brand-context.ts';
import { errorFrom, type ApiError } from '#lib/apps/web/api/api-error.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { SinglePage } from '#lib/apps/web/parts/frame/single-page.tsx';
import { Spinner } from '#lib/apps/web/parts/frame/spinner.tsx';
import type { Installation } from '#lib/apps/web/api/installation.ts';
import { tokenFor } from '#lib/apps/web/session/session-token.ts';
import { beginSignIn, completeSignIn } from '#lib/apps/web/session/sign-in.ts';

interface SignedInPageProps {
  readonly installation: Installation;
  readonly onSession: (token: string) => void;
  readonly onTerminal: (idToken: string) => void;
  readonly onDone: (returnTo: string) => void;
}

/** The page to which the issuer redirects after a sign-in. It may be open in a tab that signs in for another tab. */
export function SignedInPage({ installation, onSession, onTerminal, onDone }: SignedInPageProps) {
  const [error, setError] = useState<ApiError>();
  const [isForOtherTab, setForOtherTab] = useState(false);

  useEffect(() => {
    async function complete(): Promise<void> {
      const query = new URLSearchParams(location.search);
      if (query.has('again')) {
        return beginSignIn(installation, { purpose: 'otherTab', returnTo: pagePaths.home, again: true });
      }
      // The code can be used only once, but nevertheless should not stay in the address and in the history.
      history.replaceState(null, '', pagePaths.signedIn);
      const { idToken, purpose, returnTo } = await completeSignIn(installation, query);
      if (purpose === 'terminal') onTerminal(idToken);
      else onSession(await tokenFor(idToken));
      if (purpose === 'otherTab') setForOtherTab(true);
      else onDone(returnTo);
    }
    complete().catch((cause: unknown) => setError(errorFrom(cause)));
  }, []);

  if (isForOtherTab) {
    return (
      <SinglePage title="You have signed in again">
        <p role="status">Go back to the other tab and do it once more. You can close this one.</p>
      </SinglePage>
    );
  }
  if (!error) {
    // The page should show the name of the brand or of the product, but which one is not known here. So it shows no
    // name.
    return (
      <BrandContext.Provider value={null}>
        <SinglePage title="Signing in">
          <Spinner label="One moment" />
        </SinglePage>
      </BrandContext.Provider>
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
