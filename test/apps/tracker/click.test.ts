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
  it('waits on a prerendered page until the page is shown', async () => {
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

  it('keeps the click for the time that the service’s reply states', async () => {
    const page = fakePage({ url: landing });
    page.answer = () => clickReply('clk_1', 7);
    expect(await visit(page)).toEqual(ofAna);
    for (const { maxAgeSeconds } of page.jar.values()) expect(maxAgeSeconds).toBe(7 * 86_400);
  });

  it('uses the first of several aff values', async () => {
    const page = fakePage({ url: 'https://www.brand.test/?aff=ben&aff=ana#aff=eve' });
    expect(await visit(page)).toMatchObject({ service_aff_last: 'ben' });
  });

  it('accepts an API base URL with a trailing slash', async () => {
    const page = fakePage({ url: landing });
    await visit(page, { apiBase: 'https://brand.test/ref/' });
    expect(page.posts.map(({ url }) => url)).toEqual(['https://brand.test/ref/api/v1/track/click']);
  });

  it('logs the reply in debug mode', async () => {
    const page = fakePage({ url: landing });
    page.answer = () => Response.json({ success: true, click_id: 'clk_1', cookie_window_days: 60 });
    await visit(page, { debug: true });
    expect(page.logged).toEqual([
      'info: [Affiliate] click 200 {"success":true,"click_id":"clk_1","cookie_window_days":60}',
    ]);
  });
});

describe('a warning of the service is logged even without debug mode', () => {
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

describe('the tracker, at a visit by a link with another parameter than aff,', () => {
  const linkParameters = ['via', 'ref'];
  const visitOf = async (url: string, options: Partial<TrackerOptions> = { linkParameters }, jar?: Jar) => {
    const page = fakePage({ url, ...(jar && { jar }) });
    return { page, cookies: await visit(page, options) };
  };

  it('sends the parameter’s value as aff and stores it like an aff value', async () => {
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
  ])('to %s, with the parameters %j configured, reads the link name %j', async (query, names, link) => {
    const { page, cookies } = await visitOf(`https://www.brand.test/${query}`, { linkParameters: names });
    expect(cookies.service_aff_last ?? null).toBe(link);
    const sent = page.posts.map(({ body }) => new URL(body.affiliate_url as string).searchParams.getAll('aff'));
    expect(sent).toEqual(link === null ? [] : [[link]]);
  });

  it('sends nothing if the value is the same as before, in any of the parameters', async () => {
    const { page: first } = await visitOf('https://www.brand.test/?via=ana');
    for (const query of ['?via=ana', '?ref=ana', '?aff=ana', '']) {
      const { page } = await visitOf(`https://www.brand.test/${query}`, { linkParameters }, first.jar);
      expect(page.posts).toEqual([]);
    }
  });

  it('sends the existing click id for another partner’s value and keeps the first click', async () => {
    const jar = await attributedJar();
    const { page, cookies } = await visitOf('https://www.brand.test/?ref=ben', { linkParameters }, jar);
    expect(page.posts[0]?.body).toMatchObject({
      affiliate_url: 'https://www.brand.test/?ref=ben&aff=ben',
      existing_click_id: 'clk_1',
    });
    expect(cookies).toEqual({ ...ofAna, service_aff_last: 'ben' });
  });

  it('lets the next page, even without these parameters, send a click whose reply did not arrive in time', async () => {
    const jar: Jar = new Map();
    const left = fakePage({ url: 'https://www.brand.test/?via=ana', jar });
    left.answer = unreachable;
    await visit(left, { linkParameters });
    const { page, cookies } = await visitOf('https://www.brand.test/signup', {}, jar);
    expect(page.posts[0]?.body.affiliate_url).toMatch(/[?&]aff=ana$/);
    expect(cookies).toMatchObject({ service_click_id: 'clk_1', service_aff_last: 'ana' });
  });

  it('leaves no cookie if the program does not know the value', async () => {
    const page = fakePage({ url: 'https://www.brand.test/?ref=header' });
    page.answer = () => refusal(400, 'Referral link not found');
    expect(await visit(page, { linkParameters })).toEqual({});
    expect(page.logged).toEqual([]);
  });

  it('ignores parameters in the referrer', async () => {
    const page = fakePage({ url: landing, referrer: 'https://blog.test/?ref=ben&x=1' });
    await visit(page, { linkParameters });
    expect(page.posts[0]?.body).toMatchObject({ affiliate_url: landing, referrer_url: 'https://blog.test/?ref=ben' });
  });

  it('uses the parameters that init names before the visit is read', async () => {
    const page = fakePage({ url: 'https://www.brand.test/?via=ana' });
    start(page).init({ linkParameters: ['via'] });
    await settled();
    expect(page.posts[0]?.body.affiliate_url).toBe('https://www.brand.test/?via=ana&aff=ana');
  });
});

it('the service keeps the same query parameters of a landing URL as the tracker', () => {
  expect(KEPT_PARAMETERS).toEqual(keptParameters);
});

describe('a landing URL in the tracker', () => {
  const secret =
    'https://jo:pw@www.brand.test/reset?token=s3cret&AFF=no&aff=ana&utm_source=mail&email=jo%40example.com';
  const more = '&gclid=g1&fbclid=f1&msclkid=m1&wbraid=w1&li_fat_id=l1&plan=pro#access_token=s3cret';
  const kept =
    'https://www.brand.test/reset?AFF=no&aff=ana&utm_source=mail&gclid=g1&fbclid=f1&msclkid=m1&wbraid=w1&li_fat_id=l1';

  it('is sent and stored without fragment, user and private query parameters', async () => {
    const page = fakePage({ url: `${secret}${more}`, referrer: 'https://mail.test/inbox?message=7#top' });
    expect(await visit(page)).toMatchObject({ service_aff_url: kept });
    expect(page.posts[0]?.body).toMatchObject({
      affiliate_url: kept,
      page_url: kept,
      referrer_url: 'https://mail.test/inbox',
    });
  });

  it('loses query parameters without a name', async () => {
    const page = fakePage({ url: 'https://www.brand.test/reset?=s3cret&aff=ana' });
    await visit(page);
    expect(page.posts[0]?.body).toMatchObject({ affiliate_url: 'https://www.brand.test/reset?aff=ana' });
  });

  it('keeps additional parameters named by the page', async () => {
    const page = fakePage({ url: `${secret}${more}` });
    await visit(page, { keepQuery: 'lang,plan' });
    expect(page.posts[0]?.body).toMatchObject({ affiliate_url: `${kept}&plan=pro` });
  });

  it('that a page with other settings stored is shortened before it is sent', async () => {
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

describe('the tracker, at a visit', () => {
  it.each(['https://www.brand.test/', 'https://www.brand.test/?aff=', 'https://www.brand.test/#?aff=ana'])(
    'to %s without aff, sends nothing',
    async (url) => {
      const page = fakePage({ url });
      expect(await visit(page)).toEqual({});
      expect(page.posts).toEqual([]);
      expect(page.logged).toEqual([]);
    },
  );

  it.each(['https://www.brand.test/', landing])('to %s, sends nothing if ana was the last partner', async (url) => {
    const page = fakePage({ url, jar: await attributedJar() });
    expect(await visit(page)).toEqual(ofAna);
    expect(page.posts).toEqual([]);
  });

  it('without a program id, sends the click with a message about it', async () => {
    const page = fakePage({ url: landing });
    expect(await visit(page, { programId: 'none' })).toEqual(ofAna);
    expect(page.logged).toEqual(['error: [Affiliate] No program id: set data-service-program-id']);
  });
});

describe('the tracker, at a visit through another partner’s link,', () => {
  const url = 'https://www.brand.test/?aff=ben';

  it('sends the existing click id and keeps the first click', async () => {
    const jar = await attributedJar();
    const first = jar.get('service_click_id');
    const page = fakePage({ url, jar });
    page.answer = () => clickReply('clk_1', 7);
    expect(await visit(page)).toEqual({ ...ofAna, service_aff_last: 'ben' });
    expect(page.posts[0]?.body).toMatchObject({ affiliate_url: url, existing_click_id: 'clk_1' });
    expect(jar.get('service_click_id')).toBe(first);
    expect(jar.get('service_aff_last')?.maxAgeSeconds).toBe(7 * 86_400);
  });

  it('stores a new click id that the service returns for an unknown one', async () => {
    const page = fakePage({ url, jar: await attributedJar() });
    page.answer = () => clickReply('clk_2');
    expect(await visit(page)).toEqual({
      service_click_id: 'clk_2',
      service_aff_url: url,
      service_aff_last: 'ben',
    });
  });

  it('changes nothing if the link is disabled', async () => {
    const page = fakePage({ url, jar: await attributedJar() });
    page.answer = () => refusal(410, 'Referral link is inactive');
    expect(await visit(page)).toEqual(ofAna);
  });
});

it('if two tabs send a click in parallel, the tab with the first reply keeps its click', async () => {
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

describe('a click of the tracker that the service refuses', () => {
  it.each([400, 404, 410])('with %d leaves no cookie and is logged in debug mode only', async (status) => {
    const page = fakePage({ url: landing });
    page.answer = () => refusal(status, 'No');
    expect(await visit(page)).toEqual({});
    expect(page.posts).toHaveLength(1);
    expect(page.logged).toEqual([]);
    await visit(page, { debug: true });
    expect(page.logged).toEqual([`info: [Affiliate] click ${status} {"error":{"message":"No"}}`]);
  });

  it('with 429 leaves no cookie and is logged as an error, because a customer may be lost', async () => {
    const page = fakePage({ url: landing });
    page.answer = () => refusal(429, 'No');
    expect(await visit(page)).toEqual({});
    expect(page.logged).toEqual(['error: [Affiliate] click 429 {"error":{"message":"No"}}']);
  });
});

const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));

describe('a click of the tracker without a valid reply', () => {
  it('is sent a second time if there is no reply, and then dropped', async () => {
    const page = fakePage({ url: landing });
    page.answer = unreachable;
    expect(await visit(page)).toEqual({ service_aff_url: landing });
    expect(page.posts).toHaveLength(2);
    expect(page.posts[1]).toEqual(page.posts[0]);
    expect(page.logged).toEqual([
      'error: [Affiliate] click TypeError: Failed to fetch Is https://www.brand.test an allowed origin of the program (Settings)?',
    ]);
  });

  it('succeeds at the second attempt', async () => {
    const page = fakePage({ url: landing });
    page.answer = () => (page.posts.length === 1 ? unreachable() : clickReply('clk_1'));
    expect(await visit(page)).toEqual(ofAna);
    expect(page.logged).toEqual([]);
  });

  it('is not sent again if the page is left in between, because the service has received it', async () => {
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
  ])('is not sent again after the reply %s', async (_, answer, logged) => {
    const page = fakePage({ url: landing });
    page.answer = answer;
    expect(await visit(page)).toEqual({ service_aff_url: landing });
    expect(page.posts).toHaveLength(1);
    expect(page.logged).toEqual([expect.stringContaining(`error: [Affiliate] ${logged}`)]);
  });

  it('stores nothing from JSON of another server', async () => {
    const page = fakePage({ url: landing });
    page.answer = () => Response.json({ ok: true });
    expect(await visit(page)).toEqual({ service_aff_url: landing });
  });

  it('is sent by the next page with the original landing page', async () => {
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

  it('is replaced if the next page’s URL contains a link', async () => {
    const jar: Jar = new Map();
    const left = fakePage({ url: landing, jar });
    left.answer = unreachable;
    await visit(left);
    const next = fakePage({ url: 'https://www.brand.test/?aff=ben', jar });
    expect(await visit(next)).toMatchObject({ service_aff_url: 'https://www.brand.test/?aff=ben' });
  });
});

describe('the tracker, on a page that makes it fail,', () => {
  it('logs an error if the page has removed fetch', async () => {
    const page = fakePage({ url: landing });
    Object.assign(page, { fetch: undefined });
    await visit(page);
    expect(page.logged).toEqual([expect.stringMatching(/^error: \[Affiliate\] click TypeError: .*fetch/)]);
  });

  it('logs an error if the landing URL in the cookie is invalid', async () => {
    const jar = await attributedJar();
    jar.delete('service_click_id');
    jar.set('service_aff_url', { ...jar.get('service_aff_url')!, value: 'nonsense' });
    const page = fakePage({ url: 'https://www.brand.test/', jar });
    await visit(page);
    expect(page.posts).toEqual([]);
    expect(page.logged).toEqual(['error: [Affiliate] TypeError: Invalid URL']);
  });
});

describe('the tracker with blocked cookies', () => {
  it('keeps the click until the page is left', async () => {
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
