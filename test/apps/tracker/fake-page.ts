import type { Page } from '#lib/apps/tracker/tracker.ts';

/** A cookie in the fake browser; `domain` is `host` for a host-only cookie. */
interface KeptCookie {
  readonly value: string;
  readonly domain: string;
  readonly maxAgeSeconds: number;
  readonly sameSite: string | undefined;
  readonly isSecure: boolean;
}

export type Jar = Map<string, KeptCookie>;

interface Visit {
  readonly url: string;
  readonly referrer?: string;
  /** The cookies of earlier visits. */
  readonly jar?: Jar;
  /** `off`: nothing is stored; `blocked`: even reading throws, as in a sandboxed frame. */
  readonly cookies?: 'on' | 'off' | 'blocked';
}

/** Requests to the service, or lines in the console. */
interface Post {
  readonly url: string;
  readonly init: RequestInit;
  readonly body: Record<string, unknown>;
}

/** Answers a request; throws like `fetch` without a reply. */
type Answer = (post: Post) => Response | Promise<Response>;

export interface FakePage extends Page {
  readonly jar: Jar;
  readonly posts: Post[];
  readonly logged: string[];
  answer: Answer;
  /** The visitor leaves the page. */
  readonly leave: () => void;
}

const publicSuffixes = new Set(['test', 'uk', 'co.uk', 'localhost', 'io', 'github.io']);

export const clickReply = (clickId: string, windowDays = 60): Response =>
  Response.json({ success: true, click_id: clickId, partner_code: 'ana', cookie_window_days: windowDays });

export const refusal = (status: number, message: string): Response => Response.json({ error: { message } }, { status });

/** A window with the browser features that the tracker uses. */
export function fakePage({ url, referrer = '', jar = new Map(), cookies = 'on' }: Visit): FakePage {
  const { hostname, protocol, href, origin } = new URL(url);
  const leavers: ((event: unknown) => void)[] = [];
  const log =
    (level: string) =>
    (...what: unknown[]) =>
      void page.logged.push([`${level}:`, ...what].join(' '));

  const page: FakePage = {
    jar,
    posts: [],
    logged: [],
    answer: () => clickReply('clk_1'),
    leave: () => leavers.forEach((leaver) => leaver({ type: 'pagehide' })),
    addEventListener: (_, listener) => void leavers.push(listener),
    console: { info: log('info'), error: log('error') },
    location: { hostname, protocol, href, origin },
    document: {
      referrer,
      get cookie() {
        if (cookies === 'blocked') throw new DOMException('Forbidden in a sandboxed document', 'SecurityError');
        return [...jar].map(([name, { value }]) => `${name}=${value}`).join('; ');
      },
      set cookie(text) {
        if (cookies === 'blocked') throw new DOMException('Forbidden in a sandboxed document', 'SecurityError');
        if (cookies === 'on') keep(jar, hostname, protocol, text);
      },
    },
    async fetch(input, init = {}) {
      const post = { url: input as string, init, body: JSON.parse(init.body as string) };
      page.posts.push(post);
      return page.answer(post);
    },
  };
  return page;
}

/** Stores a cookie like a browser: RFC 6265 and the public suffix list, as far as the tracker needs them. */
function keep(jar: Jar, hostname: string, protocol: string, text: string): void {
  const [pair = '', ...rest] = text.split(';');
  const [name = '', value = ''] = pair.split('=');
  const attributes = new Map(rest.map((attribute) => attribute.split('=')).map(([key = '', set = '']) => [key, set]));
  const domain = attributes.get('domain') || hostname;
  const hasDomains = /\.\D+$/.test(hostname);
  const isAbove = hasDomains && hostname.endsWith(`.${domain}`) && !publicSuffixes.has(domain);
  const isSecure = attributes.has('Secure');
  if ((domain !== hostname && !isAbove) || (isSecure && protocol !== 'https:')) return;
  const maxAgeSeconds = Number(attributes.get('max-age'));
  if (maxAgeSeconds === 0) jar.delete(name);
  else {
    const isOfHost = !attributes.get('domain') || !hasDomains;
    const sameSite = attributes.get('SameSite');
    jar.set(name, { value, domain: isOfHost ? 'host' : domain, maxAgeSeconds, sameSite, isSecure });
  }
}

/** Waits until all pending microtasks have run. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
