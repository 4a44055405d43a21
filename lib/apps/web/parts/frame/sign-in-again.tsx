import { useState } from 'preact/hooks';
import { isAnythingUnsaved } from '#lib/apps/web/forms/unsaved.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { useInstallation } from '#lib/apps/web/api/installation-context.ts';
import { useSignIns } from '#lib/apps/web/session/sign-ins.ts';
import { beginSignIn } from '#lib/apps/web/session/sign-in.ts';
import { entryPaths } from '#lib/apps/web/static/entry-paths.ts';

/**
 * Offers to sign in again, in another tab, for an action that needs a recent sign-in. That tab then shares its new
 * session with this one. A sign-in in this tab leaves the page, so it is offered only if nothing entered would be lost.
 */
export function SignInAgain() {
  const installation = useInstallation();
  const signIns = useSignIns();
  const [before] = useState(signIns);
  const signIn = useAction(() => {
    const { pathname, search, hash } = location;
    return beginSignIn(installation, { purpose: 'pages', returnTo: `${pathname}${search}${hash}`, again: true });
  });
  if (signIns !== before) {
    return (
      <p class="saved" role="status">
        You are signed in again. Now do it once more.
      </p>
    );
  }
  return (
    <div class="failure" role="alert">
      <p>
        Sign in again for this: whoever finds your browser open must not be able to do it. In a new tab, what you typed
        here stays; then do it once more here.
      </p>
      {signIn.error && <p>{signIn.error.message}</p>}
      <div class="form-buttons">
        <a class="button" href={`${entryPaths.signedIn}?again`} target="_blank">
          Sign in in a new tab
        </a>
        {!isAnythingUnsaved() && (
          <button type="button" class="button" aria-disabled={signIn.isPending} onClick={signIn.run}>
            Sign in here
          </button>
        )}
      </div>
    </div>
  );
}
