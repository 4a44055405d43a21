import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Api } from '#lib/apps/web/api/api.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { type SignedInAs, type SignedInPages, useLogin } from '#lib/apps/web/hooks/use-login.ts';
import { useInstallation } from '#lib/apps/web/api/installation-context.ts';
import { FrameSkeleton } from '#lib/apps/web/parts/frame/frame-skeleton.tsx';
import { SessionEnded } from '#lib/apps/web/parts/frame/session-ended.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { mayLeave } from '#lib/apps/web/forms/unsaved.ts';
import { SignInsContext } from '#lib/apps/web/session/sign-ins.ts';
import { signOut } from '#lib/apps/web/session/sign-out.ts';

/** What all pages of a session share. */
interface LoadedSession<T> {
  readonly api: Api;
  readonly value: T;
  /** Loads the value again after a change. */
  readonly reload: () => Promise<void>;
  /** Signs the person out. @param reason shown on the sign-in page */
  readonly signOut: (reason?: string) => Promise<void>;
}

interface SignedInProps<T> {
  readonly pages: SignedInPages;
  readonly firstToken: string;
  /** Ends the session in this tab. @param reason shown on the sign-in page */
  readonly onForget: (reason?: string) => void;
  /** Loads the account and the data that its pages share. */
  readonly load: (api: Api) => Promise<T>;
  readonly children: (session: LoadedSession<T>) => ComponentChildren;
}

const ENDED = 'Your session has ended. Sign in again to go on where you were.';

/** Loads the session and shows its pages. If the session ends, the open page stays. */
export function SignedIn<T extends { readonly me: SignedInAs }>({
  pages,
  firstToken,
  onForget,
  load,
  children,
}: SignedInProps<T>) {
  const installation = useInstallation();
  const accountId = useRef<number | undefined>(undefined);
  const { api, hasEnded, signIns, tokenNow } = useLogin(firstToken, {
    ...pages,
    onSignedOut: () => onForget('You signed out in another tab.'),
    accountId: () => accountId.current,
  });
  const loading = useLoaded(async () => {
    const value = await load(api);
    accountId.current = value.me.account.id;
    return value;
  }, [api]);
  useEffect(() => {
    if (!hasEnded && loading.state === 'ready') void loading.reload();
  }, [hasEnded]);
  const leave = (reason?: string) => signOut({ token: tokenNow(), installation, home: pages.home, onForget, reason });

  // If the session ends before a page is shown, there is no page to keep.
  const isNothingOpen = hasEnded && loading.state !== 'ready';
  useEffect(() => {
    if (isNothingOpen) onForget(ENDED);
  }, [isNothingOpen]);

  return (
    <WhenLoaded of={loading} pending={<FrameSkeleton />}>
      {(value) => (
        <SignInsContext.Provider value={signIns}>
          {children({ api, value, reload: loading.reload, signOut: leave })}
          {hasEnded && <SessionEnded home={pages.home} onLeave={() => mayLeave() && onForget(ENDED)} />}
        </SignInsContext.Provider>
      )}
    </WhenLoaded>
  );
}
