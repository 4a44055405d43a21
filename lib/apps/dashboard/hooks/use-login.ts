import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Api, dashboardApi } from '#lib/apps/dashboard/api.ts';
import { loginToken } from '#lib/apps/dashboard/login-token.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Me } from '#lib/wire/people.ts';

/** The API for who is signed in, and whether that is still so. */
export interface Login {
  readonly api: Api;
  readonly hasEnded: boolean;
  readonly tokenNow: () => string;
}

interface LoginOptions {
  /** In another tab. */
  readonly onSignedOut: () => void;
  /** Whose pages are open; undefined before there are any. */
  readonly accountId: () => number | undefined;
}

/**
 * Shares a session with the other tabs. Once it has ended, signing in again in another tab goes on with it here: the
 * page stays as it is.
 */
export function useLogin(firstToken: string, { onSignedOut, accountId }: LoginOptions): Login {
  const token = useRef(firstToken);
  const [hasEnded, setEnded] = useState(false);
  const ended = useRef(false);

  function end(isEnded: boolean): void {
    ended.current = isEnded;
    setEnded(isEnded);
  }
  const tokenNow = () => token.current;
  const api = useMemo(() => dashboardApi(tokenNow, () => end(true)), []);

  /**
   * Asks first whose token it is: what is open here, and what it still does, must not go on as another person. Where
   * that cannot be asked, or the token is not valid, the session stays ended.
   */
  async function goOnWith(newToken: string): Promise<void> {
    const me = await dashboardApi(
      () => newToken,
      () => {},
    )
      .get<Me>('/me')
      .catch(() => undefined);
    if (!me || !ended.current) return;
    loginToken.keep(newToken);
    if (me.account.id !== (accountId() ?? me.account.id)) return location.assign(pagePaths.home);
    token.current = newToken;
    end(false);
  }

  useEffect(
    () =>
      loginToken.share({
        current: () => (ended.current ? undefined : token.current),
        onSignedOut,
        onSignedIn: (newToken) => void goOnWith(newToken),
      }),
    [],
  );
  return { api, hasEnded, tokenNow };
}
