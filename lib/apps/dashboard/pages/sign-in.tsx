import { useAction } from '#lib/apps/dashboard/hooks/use-action.ts';
import { Failure } from '#lib/apps/dashboard/parts/failure.tsx';
import { SinglePage } from '#lib/apps/dashboard/parts/single-page.tsx';
import type { Installation } from '#lib/apps/dashboard/installation.ts';
import { beginSignIn } from '#lib/apps/dashboard/sign-in.ts';

interface SignInPageProps {
  readonly installation: Installation;
  /** Why the person has to sign in again. */
  readonly notice?: string;
  readonly returnTo: string;
}

export function SignInPage({ installation, notice, returnTo }: SignInPageProps) {
  const signIn = useAction(() => beginSignIn(installation, { purpose: 'dashboard', returnTo }));
  return (
    <SinglePage title="Sign in">
      {notice && (
        <p class="notice" role="status">
          {notice}
        </p>
      )}
      <p>See which partner brought which customer, and pay them what they earned.</p>
      {signIn.error && <Failure error={signIn.error} />}
      <button type="button" class="button primary wide" aria-disabled={signIn.isPending} onClick={signIn.run}>
        {signIn.isPending ? 'One moment…' : 'Sign in'}
      </button>
      <p class="hint">{installation.sign_in_hint ?? 'New here? Sign in and create your account on the next page.'}</p>
    </SinglePage>
  );
}
