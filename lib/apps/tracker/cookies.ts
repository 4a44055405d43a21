/** The browser's cookies as the tracker uses them, by their names without `service_`. */
export interface Cookies {
  readonly read: (name: string) => string | null;
  /** @param days 0 removes it */
  readonly write: (name: string, value: string, days: number) => void;
}

export interface CookiePage {
  readonly document: { cookie: string };
  readonly location: { readonly hostname: string; readonly protocol: string };
}

export interface CookieSettings {
  /** Where the cookies are kept, instead of the detected root domain. */
  cookieDomain?: string;
}

const DAY_SECONDS = 86_400;

/**
 * First-party cookies for a whole site. Where the browser keeps none, they last as long as the page.
 * @param settings read at each write
 */
export function createCookies(page: CookiePage, settings: CookieSettings): Cookies {
  const written: Record<string, string> = {};

  /** What the browser has under a name, after a change if there is one. */
  function stored(name: string, change?: string): string | undefined {
    // Throws where a frame may have no cookies, when there is no such cookie, and on a value that is not ours.
    try {
      if (change) page.document.cookie = `service_${name}=${change}`;
      return decodeURIComponent(page.document.cookie.match(`(^|; )service_${name}=([^;]*)`)![2]!);
    } catch {
      return undefined;
    }
  }

  /** Without a domain the cookie is the host's alone. */
  const store = (name: string, value: string, days: number, domain = '') =>
    stored(
      name,
      `${encodeURIComponent(value)};path=/;domain=${domain};max-age=${days * DAY_SECONDS};SameSite=Lax${
        page.location.protocol === 'https:' ? ';Secure' : ''
      }`,
    );

  /**
   * The shortest suffix on which a probe is kept, to be removed at once: browsers refuse public suffixes and parts of
   * addresses. On an address and on `localhost` that is the host itself, which makes a cookie of this host alone.
   */
  function rootDomain(): string | undefined {
    return page.location.hostname
      .split('.')
      .map((_, index, labels) => labels.slice(-1 - index).join('.'))
      .find((domain) => store('probe', '1', 1, domain) && !store('probe', '', 0, domain));
  }

  return {
    read: (name) => stored(name) || written[name] || null,
    write(name, value, days) {
      written[name] = value;
      store(name, value, days, settings.cookieDomain || rootDomain());
    },
  };
}
