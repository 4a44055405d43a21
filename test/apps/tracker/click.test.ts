import { describe, expect, it } from 'vitest';
import { keptParameters } from '#lib/service/traffic/clicks/landing-address.ts';
import { KEPT_PARAMETERS, startTracker, type TrackerOptions } from '#lib/apps/tracker/tracker.ts';
import { clickReply, fakePage, type FakePage, type Jar, refusal, settled } from '#test/apps/tracker/fake-page.ts';

const api = 'https://ref.example.com';
const landing = 'https://www.brand.test/pricing?aff=ana';

const start = (page: FakePage, options: Partial<TrackerOptions> = {}) =>
  startTracker({ programId: '430', apiBase: api, ...options }, page);

/** Visits the page to the end. @returns the cookies by value */
async function visit(page: FakePage, options?: Partial<TrackerOptions>) {
  start(page, options);
  await settled();
  return valuesIn(page.jar);
}

const valuesIn = (jar: Jar) =>
  Object.fromEntries([...jar].map(([name, { value }]) => [name, decodeURIComponent(value)]));

/** The cookies of a visitor who came through `ana`. */
async function attributedJar(): Promise<Jar> {
  const page = fakePage({ url: landing });
  await visit(page);
  return page.jar;
}

const ofAna = { service_click_id: 'clk_1', service_aff_url: landing, service_aff_last: 'ana' };

describe('the tracker, at the first visit through a link,', () => {
  it('waits, on a page that the browser prerenders, until the page is shown', async () => {
    const page = fakePage({ url: landing });
    let show: ((event: unknown) => void) | undefined;
    Object.assign(page.document, {
      prerendering: true,
      addEventListener(type: string, listener: (event: unknown) => void) {
        if (type === 'prerenderingchange') show = listener;
      },
    });
    await visit(page);
    expect(page.posts).toEqual([]);
    show?.({ type: 'prerenderingchange' });
    await settled();
    expect(page.posts.map(({ body }) => body.affiliate_url)).toEqual([landing]);
    expect(valuesIn(page.jar)).toEqual(ofAna);
  });

  it('sends one click', async () => {
    const page = fakePage({ url: landing, referrer: 'https://blog.ana.test/' });
    await visit(page);
    expect(page.posts).toEqual([
      {
        url: `${api}/api/v1/track/click`,
        init: {
          method: 'POST',
          keepalive: true,
          credentials: 'omit',
          headers: { 'Content-Type': 'application/json' },
          body: expect.any(String),
        },
        body: {
          affiliate_url: landing,
          page_url: landing,
          referrer_url: 'https://blog.ana.test/',
          session_id: expect.stringMatching(/^0\.\d+$/),
        },
      },
    ]);
    expect(page.logged).toEqual([]);
  });

  it('stores the cookies for as many days as the service’s reply says', async () => {
    const page = fakePage({ url: landing });
    page.answer = () => clickReply('clk_1', 7);
    expect(await visit(page)).toEqual(ofAna);
    for (const { maxAgeSeconds } of page.jar.values()) expect(maxAgeSeconds).toBe(7 * 86_400);
  });

  it('uses the first value if the URL contains aff several times', async () => {
    const page = fakePage({ url: 'https://www.brand.test/?aff=ben&aff=ana#aff=eve' });
    expect(await visit(page)).toMatchObject({ service_aff_last: 'ben' });
  });

  it('accepts an API base URL with a trailing slash', async () => {
    const page = fakePage({ url: landing });
    await visit(page, { apiBase: 'https://brand.test/ref/' });
    expect(page.posts.map(({ url }) => url)).toEqual(['https://brand.test/ref/api/v1/track/click']);
  });

  it('logs the service’s reply in debug mode', async () => {
    const page = fakePage({ url: landing });
    page.answer = () => Response.json({ success: true, click_id: 'clk_1', cookie_window_days: 60 });
    await visit(page, { debug: true });
    expect(page.logged).toEqual([
      'info: [Affiliate] click 200 {"success":true,"click_id":"clk_1","cookie_window_days":60}',
    ]);
  });
});

describe('the tracker logs a warning of the service even without debug mode', () => {
  const warning = '"warnings":[{"code":"bot_click","message":"A bot made this click."}]';
  it.each([
    ['in the reply to a click', 200, `{"success":true,"click_id":"clk_1","cookie_window_days":60,${warning}}`],
    ['in a refusal', 400, `{"data":null,"error":{"message":"No"},${warning}}`],
  ])('%s', async (_, status, text) => {
    const page = fakePage({ url: landing });
    page.answer = () => new Response(text, { status });
    await visit(page);
    expect(page.logged).toEqual([`error: [Affiliate] click ${status} ${text}`]);
  });
});

describe('the tracker, if other query parameters than aff may name the link,', () => {
  const linkParameters = ['via', 'ref'];
  const visitOf = async (url: string, options: Partial<TrackerOptions> = { linkParameters }, jar?: Jar) => {
    const page = fakePage({ url, ...(jar && { jar }) });
    return { page, cookies: await visit(page, options) };
  };

  it('sends the value of such a parameter as aff, and stores it like the value of aff', async () => {
    const url = 'https://jo:pw@www.brand.test/pricing?utm_source=mail&via=ana&token=s3cret#via=eve';
    const { page, cookies } = await visitOf(url);
    const kept = 'https://www.brand.test/pricing?utm_source=mail&via=ana';
    expect(page.posts.map(({ body }) => body)).toEqual([
      { affiliate_url: `${kept}&aff=ana`, page_url: kept, referrer_url: '', session_id: expect.any(String) },
    ]);
    expect(cookies).toEqual({
      service_click_id: 'clk_1',
      service_aff_url: `${kept}&aff=ana`,
      service_aff_last: 'ana',
    });
    expect(page.logged).toEqual([]);
  });

  it.each<[string, TrackerOptions['linkParameters'], string | null]>([
    ['?ref=ben&via=ana', ['via', 'ref'], 'ana'],
    ['?ref=ben&via=ana', 'ref,via', 'ben'],
    ['?ref=ben&via=', ['via', 'ref'], 'ben'],
    ['?ref=ben', 'via, ref', 'ben'],
    ['?aff=eve&via=ana', ['via'], 'eve'],
    ['?aff=&via=ana', ['via'], 'ana'],
    ['?via=ana&via=ben', ['via'], 'ana'],
    ['?via=a%20b%26c', ['via'], 'a b&c'],
    ['?VIA=ana', ['via'], null],
    ['?f=ana', ['a', 'b', 'c', 'd', 'e', 'f'], null],
    ['?e=ana', ['a', 'b', 'c', 'd', 'e', 'f'], 'ana'],
    ['?via=ana', [], null],
    ['?via=ana', undefined, null],
    ['?undefined=ana&=ana', undefined, null],
    ['?=ana', '', null],
    ['#?via=ana', ['via'], null],
  ])('in a visit to %s, with the parameters %j allowed, reads the link name %j', async (query, names, link) => {
    const { page, cookies } = await visitOf(`https://www.brand.test/${query}`, { linkParameters: names });
    expect(cookies.service_aff_last ?? null).toBe(link);
    const sent = page.posts.map(({ body }) => new URL(body.affiliate_url as string).searchParams.getAll('aff'));
    expect(sent).toEqual(link === null ? [] : [[link]]);
  });

  it('sends nothing if the value is that of the last click, whichever parameter contains it', async () => {
    const { page: first } = await visitOf('https://www.brand.test/?via=ana');
    for (const query of ['?via=ana', '?ref=ana', '?aff=ana', '']) {
      const { page } = await visitOf(`https://www.brand.test/${query}`, { linkParameters }, first.jar);
      expect(page.posts).toEqual([]);
    }
  });

  it('sends the stored click id with the click if the value names another partner, and keeps that click id', async () => {
    const jar = await attributedJar();
    const { page, cookies } = await visitOf('https://www.brand.test/?ref=ben', { linkParameters }, jar);
    expect(page.posts[0]?.body).toMatchObject({
      affiliate_url: 'https://www.brand.test/?ref=ben&aff=ben',
      existing_click_id: 'clk_1',
    });
    expect(cookies).toEqual({ ...ofAna, service_aff_last: 'ben' });
  });

  it('lets the next page send a click that got no reply, even if that page allows no such parameters', async () => {
    const jar: Jar = new Map();
    const left = fakePage({ url: 'https://www.brand.test/?via=ana', jar });
    left.answer = unreachable;
    await visit(left, { linkParameters });
    const { page, cookies } = await visitOf('https://www.brand.test/signup', {}, jar);
    expect(page.posts[0]?.body.affiliate_url).toMatch(/[?&]aff=ana$/);
    expect(cookies).toMatchObject({ service_click_id: 'clk_1', service_aff_last: 'ana' });
  });

  it('stores no cookie if the program has no link with that name', async () => {
    const page = fakePage({ url: 'https://www.brand.test/?ref=header' });
    page.answer = () => refusal(400, 'Referral link not found');
    expect(await visit(page, { linkParameters })).toEqual({});
    expect(page.logged).toEqual([]);
  });

  it('ignores such parameters in the referrer', async () => {
    const page = fakePage({ url: landing, referrer: 'https://blog.test/?ref=ben&x=1' });
    await visit(page, { linkParameters });
    expect(page.posts[0]?.body).toMatchObject({ affiliate_url: landing, referrer_url: 'https://blog.test/?ref=ben' });
  });

  it('allows the parameters that the page names in init, if that is called before the visit is processed', async () => {
    const page = fakePage({ url: 'https://www.brand.test/?via=ana' });
    start(page).init({ linkParameters: ['via'] });
    await settled();
    expect(page.posts[0]?.body.affiliate_url).toBe('https://www.brand.test/?via=ana&aff=ana');
  });
});

it('the tracker and the service keep the same query parameters of a landing page’s URL', () => {
  expect(KEPT_PARAMETERS).toEqual(keptParameters);
});

describe('the landing page’s URL that the tracker sends and stores', () => {
  const secret =
    'https://jo:pw@www.brand.test/reset?token=s3cret&AFF=no&aff=ana&utm_source=mail&email=jo%40example.com';
  const more = '&gclid=g1&fbclid=f1&msclkid=m1&wbraid=w1&li_fat_id=l1&plan=pro#access_token=s3cret';
  const kept =
    'https://www.brand.test/reset?AFF=no&aff=ana&utm_source=mail&gclid=g1&fbclid=f1&msclkid=m1&wbraid=w1&li_fat_id=l1';

  it('has no fragment, no user name or password, and only the listed query parameters', async () => {
    const page = fakePage({ url: `${secret}${more}`, referrer: 'https://mail.test/inbox?message=7#top' });
    expect(await visit(page)).toMatchObject({ service_aff_url: kept });
    expect(page.posts[0]?.body).toMatchObject({
      affiliate_url: kept,
      page_url: kept,
      referrer_url: 'https://mail.test/inbox',
    });
  });

  it('has no query parameters without a name', async () => {
    const page = fakePage({ url: 'https://www.brand.test/reset?=s3cret&aff=ana' });
    await visit(page);
    expect(page.posts[0]?.body).toMatchObject({ affiliate_url: 'https://www.brand.test/reset?aff=ana' });
  });

  it('has the additional query parameters that the page allows', async () => {
    const page = fakePage({ url: `${secret}${more}` });
    await visit(page, { keepQuery: 'lang,plan' });
    expect(page.posts[0]?.body).toMatchObject({ affiliate_url: `${kept}&plan=pro` });
  });

  it('loses its private parts before it is sent, if a page with other settings had stored them', async () => {
    const jar: Jar = new Map();
    const left = fakePage({ url: landing, jar });
    left.answer = unreachable;
    await visit(left);
    jar.set('service_aff_url', { ...jar.get('service_aff_url')!, value: encodeURIComponent(`${secret}${more}`) });
    const next = fakePage({ url: 'https://www.brand.test/signup', jar });
    await visit(next);
    expect(next.posts[0]?.body).toMatchObject({ affiliate_url: kept });
  });
});

describe('the tracker, when a page is visited,', () => {
  it.each(['https://www.brand.test/', 'https://www.brand.test/?aff=', 'https://www.brand.test/#?aff=ana'])(
    'sends nothing if the URL %s names no link',
    async (url) => {
      const page = fakePage({ url });
      expect(await visit(page)).toEqual({});
      expect(page.posts).toEqual([]);
      expect(page.logged).toEqual([]);
    },
  );

  it.each(['https://www.brand.test/', landing])(
    'sends nothing at %s if the last click was through the link ana',
    async (url) => {
      const page = fakePage({ url, jar: await attributedJar() });
      expect(await visit(page)).toEqual(ofAna);
      expect(page.posts).toEqual([]);
    },
  );

  it('sends the click even if no program id is set, and logs a message about that', async () => {
    const page = fakePage({ url: landing });
    expect(await visit(page, { programId: 'none' })).toEqual(ofAna);
    expect(page.logged).toEqual(['error: [Affiliate] No program id: set data-service-program-id']);
  });
});

describe('the tracker, if a visitor comes again through another partner’s link,', () => {
  const url = 'https://www.brand.test/?aff=ben';

  it('sends the stored click id with the new click, and keeps that click id', async () => {
    const jar = await attributedJar();
    const first = jar.get('service_click_id');
    const page = fakePage({ url, jar });
    page.answer = () => clickReply('clk_1', 7);
    expect(await visit(page)).toEqual({ ...ofAna, service_aff_last: 'ben' });
    expect(page.posts[0]?.body).toMatchObject({ affiliate_url: url, existing_click_id: 'clk_1' });
    expect(jar.get('service_click_id')).toBe(first);
    expect(jar.get('service_aff_last')?.maxAgeSeconds).toBe(7 * 86_400);
  });

  it('stores the click id from the reply if the service does not know the stored one and returns another', async () => {
    const page = fakePage({ url, jar: await attributedJar() });
    page.answer = () => clickReply('clk_2');
    expect(await visit(page)).toEqual({
      service_click_id: 'clk_2',
      service_aff_url: url,
      service_aff_last: 'ben',
    });
  });

  it('changes no cookie if the link is inactive', async () => {
    const page = fakePage({ url, jar: await attributedJar() });
    page.answer = () => refusal(410, 'Referral link is inactive');
    expect(await visit(page)).toEqual(ofAna);
  });
});

it('if two tabs send a click in parallel, the click whose reply comes first is stored', async () => {
  const jar: Jar = new Map();
  const [ana, ben] = [fakePage({ url: landing, jar }), fakePage({ url: 'https://www.brand.test/?aff=ben', jar })];
  const late = Promise.withResolvers<Response>();
  ana.answer = () => late.promise;
  ben.answer = () => clickReply('clk_ben');
  start(ana);
  await visit(ben);
  late.resolve(clickReply('clk_ana'));
  await settled();
  expect(valuesIn(jar)).toEqual({
    service_click_id: 'clk_ben',
    service_aff_url: 'https://www.brand.test/?aff=ben',
    service_aff_last: 'ana',
  });
});

describe('a click of the tracker that the service refuses with', () => {
  it.each([400, 404, 410])('status %d stores no cookie, and is logged only in debug mode', async (status) => {
    const page = fakePage({ url: landing });
    page.answer = () => refusal(status, 'No');
    expect(await visit(page)).toEqual({});
    expect(page.posts).toHaveLength(1);
    expect(page.logged).toEqual([]);
    await visit(page, { debug: true });
    expect(page.logged).toEqual([`info: [Affiliate] click ${status} {"error":{"message":"No"}}`]);
  });

  it('status 429 stores no cookie, and is logged as an error, because a customer may be lost', async () => {
    const page = fakePage({ url: landing });
    page.answer = () => refusal(429, 'No');
    expect(await visit(page)).toEqual({});
    expect(page.logged).toEqual(['error: [Affiliate] click 429 {"error":{"message":"No"}}']);
  });
});

const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));

describe('a click of the tracker that gets no valid reply', () => {
  it('is sent a second time if there was no reply, and is left to the next page after that', async () => {
    const page = fakePage({ url: landing });
    page.answer = unreachable;
    expect(await visit(page)).toEqual({ service_aff_url: landing });
    expect(page.posts).toHaveLength(2);
    expect(page.posts[1]).toEqual(page.posts[0]);
    expect(page.logged).toEqual([
      'error: [Affiliate] click TypeError: Failed to fetch Is https://www.brand.test an allowed origin of the program (Settings)?',
    ]);
  });

  it('is recorded if the second attempt succeeds', async () => {
    const page = fakePage({ url: landing });
    page.answer = () => (page.posts.length === 1 ? unreachable() : clickReply('clk_1'));
    expect(await visit(page)).toEqual(ofAna);
    expect(page.logged).toEqual([]);
  });

  it('is not sent a second time if the visitor leaves the page, because the service has probably received it', async () => {
    const page = fakePage({ url: landing });
    const broken = Promise.withResolvers<Response>();
    page.answer = () => broken.promise;
    start(page);
    await settled();
    page.leave();
    broken.reject(new TypeError('Failed to fetch'));
    await settled();
    expect(page.posts).toHaveLength(1);
    expect(valuesIn(page.jar)).toEqual({ service_aff_url: landing });
  });

  it.each([
    ['500', () => refusal(500, 'Click tracking failed'), 'click 500 {"error":{"message":"Click tracking failed"}}'],
    ['a page instead of JSON', () => new Response('<!doctype html>'), 'click SyntaxError'],
  ])('is not sent a second time after the reply %s', async (_, answer, logged) => {
    const page = fakePage({ url: landing });
    page.answer = answer;
    expect(await visit(page)).toEqual({ service_aff_url: landing });
    expect(page.posts).toHaveLength(1);
    expect(page.logged).toEqual([expect.stringContaining(`error: [Affiliate] ${logged}`)]);
  });

  it('stores no click id if another server answers with JSON', async () => {
    const page = fakePage({ url: landing });
    page.answer = () => Response.json({ ok: true });
    expect(await visit(page)).toEqual({ service_aff_url: landing });
  });

  it('is sent by the next page, with the URL of the first landing page', async () => {
    const jar: Jar = new Map();
    const left = fakePage({ url: landing, jar });
    left.answer = () => new Promise(() => {});
    await visit(left);
    expect(jar.get('service_aff_url')?.maxAgeSeconds).toBe(86_400);
    const next = fakePage({ url: 'https://app.brand.test/signup', jar });
    expect(await visit(next)).toEqual(ofAna);
    expect(next.posts[0]?.body).toMatchObject({ affiliate_url: landing, page_url: 'https://app.brand.test/signup' });
    expect(jar.get('service_aff_url')?.maxAgeSeconds).toBe(60 * 86_400);
  });

  it('is replaced by a new click if the URL of the next page names a link', async () => {
    const jar: Jar = new Map();
    const left = fakePage({ url: landing, jar });
    left.answer = unreachable;
    await visit(left);
    const next = fakePage({ url: 'https://www.brand.test/?aff=ben', jar });
    expect(await visit(next)).toMatchObject({ service_aff_url: 'https://www.brand.test/?aff=ben' });
  });
});

describe('the tracker, on a page that breaks it,', () => {
  it('logs an error if the page has deleted fetch', async () => {
    const page = fakePage({ url: landing });
    Object.assign(page, { fetch: undefined });
    await visit(page);
    expect(page.logged).toEqual([expect.stringMatching(/^error: \[Affiliate\] click TypeError: .*fetch/)]);
  });

  it('logs an error if the URL stored in the cookie is invalid', async () => {
    const jar = await attributedJar();
    jar.delete('service_click_id');
    jar.set('service_aff_url', { ...jar.get('service_aff_url')!, value: 'nonsense' });
    const page = fakePage({ url: 'https://www.brand.test/', jar });
    await visit(page);
    expect(page.posts).toEqual([]);
    expect(page.logged).toEqual(['error: [Affiliate] TypeError: Invalid URL']);
  });
});

describe('the tracker, if the browser blocks cookies,', () => {
  it('remembers the click until the visitor leaves the page', async () => {
    const page = fakePage({ url: landing, cookies: 'blocked' });
    const tracker = start(page);
    await settled();
    expect(tracker.getData()).toEqual({
      clickId: 'clk_1',
      programId: 430,
      hasAttribution: true,
      affiliateUrl: landing,
    });
    expect(page.logged).toEqual([]);
  });
});
