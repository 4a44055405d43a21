/** Cookies that the tracker uses, by name without the prefix `service_`. */
export interface Cookies {
  readonly read: (name: string) => string | null;
  /** Stores or removes a cookie. @param days lifetime; 0 removes the cookie */
  readonly write: (name: string, value: string, days: number) => void;
}

export interface CookiePage {
  readonly document: { cookie: string };
  readonly location: { readonly hostname: string; readonly protocol: string };
}

export interface CookieSettings {
  /** Domain for the cookies, instead of the detected root domain. */
  cookieDomain?: string;
}

const DAY_SECONDS = 86_400;

/**
 * First-party cookies for a whole site. If the browser stores none, they are kept for the lifetime of the page.
 * @param settings read at each write
 */
export function createCookies(page: CookiePage, settings: CookieSettings): Cookies {
  const written: Record<string, string> = {};

  /** Sets a cookie if a change is given, and returns the stored value. */
  function stored(name: string, change?: string): string | undefined {
    // Reading fails if a frame may not use cookies, if there is no such cookie, or if its value is invalid.
    try {
      if (change) page.document.cookie = `service_${name}=${change}`;
      return decodeURIComponent(page.document.cookie.match(`(^|; )service_${name}=([^;]*)`)![2]!);
    } catch {
      return undefined;
    }
  }

  /** Stores a cookie. Without a domain, the cookie belongs to this host only. */
  const store = (name: string, value: string, days: number, domain = '') =>
    stored(
      name,
      `${encodeURIComponent(value)};path=/;domain=${domain};max-age=${days * DAY_SECONDS};SameSite=Lax${
        page.location.protocol === 'https:' ? ';Secure' : ''
      }`,
    );

  /**
   * The shortest domain suffix on which a test cookie is stored (and removed at once): browsers refuse public suffixes
   * and parts of IP addresses. For an IP address or `localhost` it is the host itself, which makes a host-only cookie.
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
