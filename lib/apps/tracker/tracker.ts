import { type CookiePage, createCookies } from '#lib/apps/tracker/cookies.ts';

/** Options that the page sets. */
export interface TrackerOptions {
  /** The program id as a number or decimal text. If it is missing, the browser's console says so. */
  programId?: number | string;
  /** If true, requests and replies are logged to the console; otherwise only failures. */
  debug?: boolean;
  /** Domain of the cookies. Default: the root domain, which the tracker finds out. */
  cookieDomain?: string;
  /** The base URL of the service, such as `https://ref.example.com`. */
  apiBase: string;
  /** Names of additional query parameters to send and store, separated by commas, such as `plan,lang`. */
  keepQuery?: string;
  /**
   * Names of query parameters that contain the link name if an address has no `aff`, such as `via` from a tool used
   * before. The first one that is present is used. At most 5 names, each with at most 32 letters, digits, `_` and `-`.
   */
  linkParameters?: readonly string[] | string;
}

/** The tracker's methods for the page. They never throw, and their promises never reject. */
export interface Tracker {
  /** Changes options. Pages need not call it: the tracker starts by itself. */
  readonly init: (options: Partial<TrackerOptions>) => void;
  /**
   * Records the visitor's sign-up. The page may be left directly after the call.
   * @param customerKey your own permanent id of the user; your server sends the same id with a sale
   * @returns a promise that resolves when the service has replied, or the request has failed
   */
  readonly signup: (customerKey?: string | number, email?: string) => Promise<void>;
  /** Records a sign-up like `signup`, with named fields. */
  readonly trackLead: (lead: NamedLead) => Promise<void>;
  /** Sends a test click, for which no customer is recorded and no cookie is stored. */
  readonly trackTest: () => Promise<unknown>;
  readonly getClickId: () => string | null;
  readonly getData: () => TrackerData;
  readonly clickId: string | null;
  /** The address of the page to which the link led. */
  readonly affiliateUrl: string | null;
  readonly hasAffiliateAttribution: boolean;
  readonly debugMode: boolean;
  readonly programId: number | null;
  readonly loaded: true;
}

interface NamedLead {
  readonly email?: string;
  readonly customer_key?: string | number;
  readonly user_id?: string | number;
}

interface TrackerData {
  readonly clickId: string | null;
  readonly programId: number | null;
  readonly hasAttribution: boolean;
  readonly affiliateUrl: string | null;
}

/** The parts of `window` that the tracker needs. */
export interface Page extends CookiePage {
  readonly addEventListener: (type: 'pagehide', listener: (event: unknown) => void) => void;
  readonly console: Pick<Console, 'error' | 'info'>;
  readonly document: CookiePage['document'] & {
    readonly referrer: string;
    /**
     * Whether the browser prerenders the page before a visitor opens it; undefined if the browser does not support
     * that.
     */
    readonly prerendering?: boolean;
    readonly addEventListener?: (type: 'prerenderingchange', listener: (event: unknown) => void) => void;
  };
  readonly fetch: typeof fetch;
  readonly location: CookiePage['location'] & { readonly href: string; readonly origin: string };
}

/**
 * The query parameters that are sent and stored: `aff`, `utm_…`, and the click ids of ad networks. All others are left
 * out, because they may be private, such as an e-mail address or a token.
 */
export const KEPT_PARAMETERS =
  /^aff$|^utm_|cl(ick|k)?id$|^([gw]braid|gclsrc|gad_source|li_fat_id|rdt_cid|sccid|epik)$/i;

/** The fields of a click's reply that the tracker uses. */
export interface ClickReply {
  readonly click_id: string;
  readonly cookie_window_days: number;
}

/**
 * Starts the tracker for the visit of a page. The click is sent only after the calling script has ended, so that the
 * script may still change options with `init`.
 * @param settings the tracker keeps this object; `init` changes it
 */
export function startTracker(settings: TrackerOptions, page: Page): Tracker {
  const { read, write } = createCookies(page, settings);
  const sessionId = `${Math.random()}`;
  let isLeft: unknown;
  const leaving = new Promise<unknown>((resolve) =>
    page.addEventListener('pagehide', (event) => resolve((isLeft = event))),
  );
  // A page that the browser prerenders has no visitor, so the click waits until the page is shown.
  const click = Promise.resolve(
    page.document.prerendering &&
      new Promise<unknown>((resolve) => page.document.addEventListener!('prerenderingchange', resolve)),
  )
    .then(visit)
    .catch((error) => log('error', error));

  const clickId = () => read('click_id');
  const affiliateUrl = () => read('aff_url');
  const programId = () => Number(settings.programId) || null;

  /** The link name in an address: the value of `aff`, otherwise of the first additional parameter that is present. */
  const linkOf = (text: string | null) =>
    text &&
    ['aff', settings.linkParameters]
      .join()
      .match(/[\w-]+/g)!
      .slice(0, 6)
      .map((name) => new URL(text).searchParams.get(name))
      .find(Boolean);

  /**
   * Removes user, fragment, and all query parameters that must not be stored.
   * @param link the link name to set as `aff`
   */
  function cut(text: string, link?: string): string {
    const { origin, pathname, searchParams } = new URL(text);
    if (link) searchParams.set('aff', link);
    const kept = new Set([settings.keepQuery, settings.linkParameters].join().split(',').filter(Boolean));
    const query = new URLSearchParams(
      [...searchParams].filter(([name]) => KEPT_PARAMETERS.test(name) || kept.has(name)),
    );
    return `${origin}${pathname}?${query}`.replace(/\?$/, '');
  }

  function log(level: 'info' | 'error', ...what: unknown[]): void {
    if (settings.debug || level === 'error') page.console[level]('[Affiliate]', ...what);
  }

  /**
   * Sends a click or a lead.
   * @returns the reply; null if the service refused the request; undefined if the service failed or did not reply
   */
  async function post(path: 'click' | 'lead', body: object): Promise<ClickReply | null | void> {
    const send = async () =>
      page.fetch(`${settings.apiBase.replace(/\/$/, '')}/api/v1/track/${path}`, {
        method: 'POST',
        keepalive: true,
        credentials: 'omit',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(
          { page_url: cut(page.location.href), session_id: sessionId, ...body },
          (_, value) => value ?? undefined,
        ),
      });
    try {
      // If there is no reply, the request is sent once more. But if the page is being left, the browser still sends the
      // request and only its reply is lost, so it is not repeated.
      const reply = await send().catch((error) => (isLeft ? Promise.reject(error) : send()));
      const text = await reply.text();
      // These refusals are normal: an unknown link, a sign-up that the server has already sent, an unknown customer. A
      // warning in a reply is logged as an error, for example that the click is a bot's and does not count.
      log(reply.status < 429 && !/"warn/.test(text) ? 'info' : 'error', path, reply.status, text);
      if (reply.ok) return JSON.parse(text);
      return reply.status < 500 ? null : undefined;
    } catch (error) {
      // If the page's origin is not allowed, the browser reports it as a network error, so the message asks about it.
      return log('error', path, error, `Is ${page.location.origin} an allowed origin of the program (Settings)?`);
    }
  }

  async function visit(): Promise<void> {
    if (!programId()) log('error', 'No program id: set data-service-program-id');
    const existing = clickId();
    // If a landing page was left before its click was sent, the cookie still contains its address, and this page sends
    // the click.
    const address = [page.location.href, existing ? null : affiliateUrl()].find(linkOf);
    const link = address && linkOf(address);
    if (!link || (existing && link === read('aff_last'))) return;
    const landing = cut(address, link);
    if (!existing) write('aff_url', landing, 1);
    const reply = await post('click', {
      affiliate_url: landing,
      existing_click_id: existing,
      referrer_url: page.document.referrer && cut(page.document.referrer),
    });
    if (reply?.click_id) {
      const { click_id: id, cookie_window_days: days } = reply;
      // If another tab has stored a click id in the meantime, that click was first and is kept.
      if (id !== existing && existing === clickId()) {
        write('click_id', id, days);
        write('aff_url', landing, days);
      }
      write('aff_last', link, days);
    } else if (reply === null && !existing) write('aff_url', '', 0);
  }

  async function signup(customerKey?: string | number, email?: string): Promise<void> {
    const isKey = Number.isFinite(customerKey) || (customerKey as string | undefined)?.trim?.();
    if (!isKey) return log('error', 'signup needs your customer key. Nothing was sent.');
    await Promise.race([click, leaving]);
    await post('lead', { customer_key: `${customerKey}`, email, click_id: clickId(), program_id: programId() });
  }

  return {
    loaded: true,
    init: (changes) => void Object.assign(settings, changes),
    signup,
    trackLead: (lead) => signup(lead?.customer_key ?? lead?.user_id, lead?.email),
    trackTest: () =>
      post('click', {
        affiliate_url: cut(page.location.href),
        additional_data: { test_mode: true, program_id: programId() },
      }),
    getClickId: clickId,
    getData: () => ({
      clickId: clickId(),
      programId: programId(),
      hasAttribution: !!clickId(),
      affiliateUrl: affiliateUrl(),
    }),
    get clickId() {
      return clickId();
    },
    get affiliateUrl() {
      return affiliateUrl();
    },
    get hasAffiliateAttribution() {
      return !!clickId();
    },
    get debugMode() {
      return !!settings.debug;
    },
    get programId() {
      return programId();
    },
  };
}
