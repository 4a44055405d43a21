import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Api, apiAt } from '#lib/apps/web/api/api.ts';
import { loginToken } from '#lib/apps/web/session/login-token.ts';

/** An application in which people sign in: the dashboard or the portal. */
export interface SignedInPages {
  /** Root of the application's API paths. Its `/me` returns the account that is signed in. */
  readonly apiRoot: string;
  /** Path of the application's start page. */
  readonly home: string;
}

/** The part of the reply of `/me` that is the same in both applications. */
export interface SignedInAs {
  readonly account: { readonly id: number };
}

/** The API with the person's token, and whether the session has ended. */
export interface Login {
  readonly api: Api;
  readonly hasEnded: boolean;
  /** How often the person has signed in again in other tabs. */
  readonly signIns: number;
  readonly tokenNow: () => string;
}

interface LoginOptions extends SignedInPages {
  /** Called when the person signs out in another tab. */
  readonly onSignedOut: () => void;
  /** Returns the account whose pages are open; undefined before a page is shown. */
  readonly accountId: () => number | undefined;
}

/**
 * Shares the session with other tabs. If the session has ended and the person signs in again in another tab, the
 * session continues in this tab, and the open page stays as it is.
 */
export function useLogin(firstToken: string, { apiRoot, home, onSignedOut, accountId }: LoginOptions): Login {
  const token = useRef(firstToken);
  const [hasEnded, setEnded] = useState(false);
  const ended = useRef(false);
  const [signIns, setSignIns] = useState(0);

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
   * Continues an ended session with the token of another tab. First checks to whom the token belongs: if it is another
   * account's, this tab goes to the start page, because the open page belongs to the former account. If the check
   * fails, the session stays ended.
   */
  async function goOnWith(newToken: string): Promise<void> {
    const id = await accountOf(newToken);
    if (id === undefined || !ended.current) return;
    loginToken.keep(newToken);
    if (id !== (accountId() ?? id)) return location.assign(home);
    token.current = newToken;
    end(false);
  }

  /**
   * Uses the new token if the person has signed in again in another tab. Actions that need a recent sign-in then work
   * in this tab, too.
   */
  async function renewWith(newToken: string): Promise<void> {
    const id = await accountOf(newToken);
    if (id === undefined || ended.current || id !== accountId()) return;
    loginToken.keep(newToken);
    token.current = newToken;
    setSignIns((count) => count + 1);
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
  return { api, hasEnded, signIns, tokenNow };
}
