import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Api, apiAt } from '#lib/apps/web/api.ts';
import { loginToken } from '#lib/apps/web/login-token.ts';

/** Pages with a session: the dashboard, the partner portal. */
export interface SignedInPages {
  /** Of their API, whose `/me` says who is signed in. */
  readonly apiRoot: string;
  /** Path of their start. */
  readonly home: string;
}

/** The part of `/me` that all of them have. */
export interface SignedInAs {
  readonly account: { readonly id: number };
}

/** The API for who is signed in, and whether that is still so. */
export interface Login {
  readonly api: Api;
  readonly hasEnded: boolean;
  readonly tokenNow: () => string;
}

interface LoginOptions extends SignedInPages {
  /** In another tab. */
  readonly onSignedOut: () => void;
  /** Whose pages are open; undefined before there are any. */
  readonly accountId: () => number | undefined;
}

/**
 * Shares a session with the other tabs. Once it has ended, signing in again in another tab goes on with it here: the
 * page stays as it is.
 */
export function useLogin(firstToken: string, { apiRoot, home, onSignedOut, accountId }: LoginOptions): Login {
  const token = useRef(firstToken);
  const [hasEnded, setEnded] = useState(false);
  const ended = useRef(false);

  function end(isEnded: boolean): void {
    ended.current = isEnded;
    setEnded(isEnded);
  }
  const tokenNow = () => token.current;
  const api = useMemo(() => apiAt(apiRoot, tokenNow, () => end(true)), []);

  const accountOf = async (newToken: string): Promise<number | undefined> => {
    const me = await apiAt(
      apiRoot,
      () => newToken,
      () => {},
    )
      .get<SignedInAs>('/me')
      .catch(() => undefined);
    return me?.account.id;
  };

  /**
   * Asks first whose token it is: what is open here, and what it still does, must not go on as another person. Where
   * that cannot be asked, or the token is not valid, the session stays ended.
   */
  async function goOnWith(newToken: string): Promise<void> {
    const id = await accountOf(newToken);
    if (id === undefined || !ended.current) return;
    loginToken.keep(newToken);
    if (id !== (accountId() ?? id)) return location.assign(home);
    token.current = newToken;
    end(false);
  }

  /** The same person has signed in again in another tab: what needs a recent sign-in works here, too. */
  async function renewWith(newToken: string): Promise<void> {
    const id = await accountOf(newToken);
    if (id === undefined || ended.current || id !== accountId()) return;
    loginToken.keep(newToken);
    token.current = newToken;
  }

  useEffect(
    () =>
      loginToken.share({
        current: () => (ended.current ? undefined : token.current),
        onSignedOut,
        onSignedIn: (newToken) => void goOnWith(newToken),
        onSignedInAgain: (newToken) => void renewWith(newToken),
      }),
    [],
  );
  return { api, hasEnded, tokenNow };
}
