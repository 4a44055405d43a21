import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { SinglePage } from '#lib/apps/web/parts/frame/single-page.tsx';
import type { Installation } from '#lib/apps/web/api/installation.ts';
import { beginSignIn } from '#lib/apps/web/session/sign-in.ts';

interface SignInPageProps {
  readonly installation: Installation;
  /** The text that introduces the page. */
  readonly intro: string;
  /** Why the person has to sign in again. */
  readonly notice?: string;
  readonly returnTo: string;
}

export function SignInPage({ installation, intro, notice, returnTo }: SignInPageProps) {
  const signIn = useAction(() => beginSignIn(installation, { purpose: 'pages', returnTo }));
  return (
    <SinglePage title="Sign in">
      {notice && (
        <p class="notice" role="status">
          {notice}
        </p>
      )}
      <p>{intro}</p>
      {signIn.error && <Failure error={signIn.error} />}
      <button type="button" class="button primary wide" aria-disabled={signIn.isPending} onClick={signIn.run}>
        {signIn.isPending ? 'One moment…' : 'Sign in'}
      </button>
      <p class="hint">{installation.sign_in_hint ?? 'New here? Sign in and create your account on the next page.'}</p>
    </SinglePage>
  );
}
