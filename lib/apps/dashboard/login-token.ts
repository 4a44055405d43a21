const KEY = 'login_token';

/** The login token of this tab. It is in no URL, and gone with the tab. */
export const loginToken = {
  read: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  keep: (token: string): void => sessionStorage.setItem(KEY, token),
  drop: (): void => sessionStorage.removeItem(KEY),
};
