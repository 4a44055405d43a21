/** The cookies that the tracker uses. Names are given without their prefix `service_`. */
export interface Cookies {
  readonly read: (name: string) => string | null;
  /** Stores a cookie for this number of days; 0 removes the cookie. */
  readonly write: (name: string, value: string, days: number) => void;
}

export interface CookiePage {
  readonly document: { cookie: string };
  readonly location: { readonly hostname: string; readonly protocol: string };
}

export interface CookieSettings {
  /** Domain of the cookies. Default: the root domain, which the tracker finds out. */
  cookieDomain?: string;
}

const DAY_SECONDS = 86_400;

/**
 * Creates cookies that are valid for all subdomains of the site. If the browser refuses cookies, the values are kept
 * until the page is left.
 * @param settings read at each write
 */
export function createCookies(page: CookiePage, settings: CookieSettings): Cookies {
  const written: Record<string, string> = {};

  /** Returns the stored value of a cookie, after writing it if a change is given. */
  function stored(name: string, change?: string): string | undefined {
    // Throws if the page is in a frame that may not use cookies, if the cookie does not exist, or if its value is
    // invalid.
    try {
      if (change) page.document.cookie = `service_${name}=${change}`;
      return decodeURIComponent(page.document.cookie.match(`(^|; )service_${name}=([^;]*)`)![2]!);
    } catch {
      return undefined;
    }
  }

  /** Writes a cookie. Without a domain, only this host receives it. */
  const store = (name: string, value: string, days: number, domain = '') =>
    stored(
      name,
      `${encodeURIComponent(value)};path=/;domain=${domain};max-age=${days * DAY_SECONDS};SameSite=Lax${
        page.location.protocol === 'https:' ? ';Secure' : ''
      }`,
    );

  /**
   * Finds the shortest domain for which the browser stores a test cookie. Browsers refuse cookies for public suffixes
   * such as `co.uk` and for parts of IP addresses. The test cookie is removed at once. For an IP address or
   * `localhost`, the result is the host itself.
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
