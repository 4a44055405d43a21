import { type CookiePage, createCookies } from '#lib/apps/tracker/cookies.ts';

/** Options set by the page. */
export interface TrackerOptions {
  /** The program id as a number or decimal text. If it is missing, the log says so. */
  programId?: number | string;
  /** Logs requests and replies, in addition to failures. */
  debug?: boolean;
  /** Domain for the cookies, instead of the detected root domain. */
  cookieDomain?: string;
  /** The base URL of the service, such as `https://ref.example.com`. */
  apiBase: string;
  /** Names of additional query parameters to send and store, separated by commas, such as `plan,lang`. */
  keepQuery?: string;
  /**
   * Names of parameters that may contain the link name if an address has no `aff`, such as `via` from a previous tool;
   * the first one present is used. At most 5, with letters, digits, `_` and `-`, and at most 32 characters each.
   */
  linkParameters?: readonly string[] | string;
}

/** The tracker's methods for the page. None throws, and no promise is rejected. */
export interface Tracker {
  /** Changes options. The tracker starts by itself, so this starts nothing. */
  readonly init: (options: Partial<TrackerOptions>) => void;
  /**
   * Records the visitor's sign-up. The page may be left right after the call.
   * @param customerKey your own permanent id of the user, the same that your server sends with a sale
   * @returns a promise that resolves when the lead is answered or given up
   */
  readonly signup: (customerKey?: string | number, email?: string) => Promise<void>;
  /** Records a sign-up like `signup`, with named fields. */
  readonly trackLead: (lead: NamedLead) => Promise<void>;
  /** Sends a test click, which creates no customer and no cookie. */
  readonly trackTest: () => Promise<unknown>;
  readonly getClickId: () => string | null;
  readonly getData: () => TrackerData;
  readonly clickId: string | null;
  /** The landing page of the click. */
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
    /** Whether the page is prerendered; undefined in browsers that do not prerender pages. */
    readonly prerendering?: boolean;
    readonly addEventListener?: (type: 'prerenderingchange', listener: (event: unknown) => void) => void;
  };
  readonly fetch: typeof fetch;
  readonly location: CookiePage['location'] & { readonly href: string; readonly origin: string };
}

/**
 * Query parameters that are sent and stored: `aff`, `utm_…` and the click ids of ad networks. Other parameters may be
 * private, such as an address or a token.
 */
export const KEPT_PARAMETERS =
  /^aff$|^utm_|cl(ick|k)?id$|^([gw]braid|gclsrc|gad_source|li_fat_id|rdt_cid|sccid|epik)$/i;

/** The parts of the reply to a click that are used. */
export interface ClickReply {
  readonly click_id: string;
  readonly cookie_window_days: number;
}

/**
 * Tracks the visit of a page. It starts after the calling script, so that `init` may still change options.
 * @param settings used and changed by the tracker from now on
 */
export function startTracker(settings: TrackerOptions, page: Page): Tracker {
  const { read, write } = createCookies(page, settings);
  const sessionId = `${Math.random()}`;
  let isLeft: unknown;
  const leaving = new Promise<unknown>((resolve) =>
    page.addEventListener('pagehide', (event) => resolve((isLeft = event))),
  );
  // A prerendered page has no visitor until it is shown.
  const click = Promise.resolve(
    page.document.prerendering &&
      new Promise<unknown>((resolve) => page.document.addEventListener!('prerenderingchange', resolve)),
  )
    .then(visit)
    .catch((error) => log('error', error));

  const clickId = () => read('click_id');
  const affiliateUrl = () => read('aff_url');
  const programId = () => Number(settings.programId) || null;

  /** The link name in an address: from `aff`, otherwise from the first additional parameter present. */
  const linkOf = (text: string | null) =>
    text &&
    ['aff', settings.linkParameters]
      .join()
      .match(/[\w-]+/g)!
      .slice(0, 6)
      .map((name) => new URL(text).searchParams.get(name))
      .find(Boolean);

  /** The address without user, fragment, and the query parameters that are not stored. @param link added as `aff` */
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
   * @returns the reply; null if the service refused; undefined if it failed or could not be reached
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
      // The request is retried once if there was no reply. After the page is left no reply arrives, but the service has
      // received the request.
      const reply = await send().catch((error) => (isLeft ? Promise.reject(error) : send()));
      const text = await reply.text();
      // Refusals are expected: an unknown link, a signup that the server has already sent, an unknown customer. A
      // warning from the service is logged as an error, for example that the click is a bot's and does not count.
      log(reply.status < 429 && !/"warn/.test(text) ? 'info' : 'error', path, reply.status, text);
      if (reply.ok) return JSON.parse(text);
      return reply.status < 500 ? null : undefined;
    } catch (error) {
      // If the origin is not allowed, the browser only reports a network error.
      return log('error', path, error, `Is ${page.location.origin} an allowed origin of the program (Settings)?`);
    }
  }

  async function visit(): Promise<void> {
    if (!programId()) log('error', 'No program id: set data-service-program-id');
    const existing = clickId();
    // If a landing page was left before its click was answered, its address is in the cookie, and the next page sends
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
      // The first click is kept, even if it was answered in another tab in the meantime.
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
