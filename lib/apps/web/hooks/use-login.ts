import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Api, apiAt } from '#lib/apps/web/api/api.ts';
import { loginToken } from '#lib/apps/web/session/login-token.ts';

/** One of the two applications with a session: dashboard or portal. */
export interface SignedInPages {
  /** Root of the application's API, whose `/me` returns the signed-in account. */
  readonly apiRoot: string;
  /** Path of the application's start page. */
  readonly home: string;
}

/** The fields of `/me` that both applications have. */
export interface SignedInAs {
  readonly account: { readonly id: number };
}

/** The API with the person's token, and whether the session is still valid. */
export interface Login {
  readonly api: Api;
  readonly hasEnded: boolean;
  readonly tokenNow: () => string;
}

interface LoginOptions extends SignedInPages {
  /** Called when the session ends in another tab. */
  readonly onSignedOut: () => void;
  /** The account whose pages are open; undefined before any page is shown. */
  readonly accountId: () => number | undefined;
}

/**
 * Shares a session with the other tabs. If the session has ended and the person signs in again in another tab, the
 * session continues in this tab, and the page stays as it is.
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
   * First checks to whom the token belongs: open pages and their pending actions must not continue as another person.
   * If the check fails or the token is invalid, the session stays ended.
   */
  async function goOnWith(newToken: string): Promise<void> {
    const id = await accountOf(newToken);
    if (id === undefined || !ended.current) return;
    loginToken.keep(newToken);
    if (id !== (accountId() ?? id)) return location.assign(home);
    token.current = newToken;
    end(false);
  }

  /** The person has signed in again in another tab, so actions that need a recent sign-in now work here, too. */
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
