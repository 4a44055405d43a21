import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#test/browser/support/eventually.ts';
import { type Stage, startStage, type Visitor } from '#test/browser/support/stage.ts';

// The running service's script on a brand's site: behaviour that only a browser decides, such as cookie domains,
// readable replies, and requests sent when a page is left. test/apps/tracker tests the rest.

const names = ['service_aff_last', 'service_aff_url', 'service_click_id'];

let stage: Stage;
let visitor: Visitor;

beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

beforeEach(async () => {
  stage.http.head = stage.scriptTag();
  stage.gate.reset();
  visitor = await stage.visitor();
});
afterEach(() => visitor.leave());

const visit = (path: string, host = 'www.brand.test') => visitor.page.goto(stage.http.url(host, path));
const cookieValue = async (name: string) => (await visitor.cookies())[name]?.value;
const clickIdKept = () =>
  eventually(async () => {
    const id = await cookieValue('service_click_id');
    expect(id).toMatch(/^clk_/);
    return id!;
  });
const eventsOf = async (clickId: string) => {
  const { data } = await stage.service.dashboard('GET', `/programs/${stage.service.demo.program_id}/events?limit=50`);
  return (data as { click_id: string }[]).filter((event) => event.click_id === clickId).toReversed();
};
const logs = (line: RegExp) => eventually(() => expect(visitor.logged).toEqual([expect.stringMatching(line)]));
const signUpAndLeave = (to: string) =>
  visitor.page.evaluate((welcome) => {
    void window.service?.signup('hasty');
    location.href = welcome;
  }, to);

it('a visitor who later comes by another partner’s link and to another subdomain still earns the first partner a commission', async () => {
  const { service, http, gate } = stage;
  await visit('/pricing?aff=ana');
  const clickId = await clickIdKept();
  const landing = http.url('www.brand.test', '/pricing?aff=ana');
  await eventually(async () => expect(await cookieValue('service_aff_last')).toBe('ana'));
  const { expires } = (await visitor.cookies()).service_click_id!;
  expect(await visitor.page.evaluate(() => window.service?.getData())).toEqual({
    clickId,
    programId: service.demo.program_id,
    hasAttribution: true,
    affiliateUrl: landing,
  });

  await visit('/?aff=ben');
  await eventually(async () => expect(await cookieValue('service_aff_last')).toBe('ben'));
  const { service_click_id: kept, service_aff_url: landed } = await visitor.cookies();
  expect(kept).toMatchObject({ value: clickId, expires });
  expect(decodeURIComponent(landed!.value)).toBe(landing);

  await visit('/signup', 'app.brand.test');
  await visitor.page.waitForFunction(() => window.service?.loaded);
  await visitor.page.evaluate(() => window.service?.signup('faithful', 'jo@example.com'));
  expect(gate.sent.at(-1)?.body).toEqual({
    customer_key: 'faithful',
    email: 'jo@example.com',
    click_id: clickId,
    program_id: service.demo.program_id,
    page_url: http.url('app.brand.test', '/signup'),
    session_id: expect.any(String),
  });
  expect(await eventsOf(clickId)).toMatchObject([
    { type: 'click', short_link: 'ana', page_url: landing, first: true },
    { type: 'click', short_link: 'ben', first: false },
    { type: 'lead', state: 'provisional', mode: 'browser', email_masked: 'j***@example.com' },
  ]);
  await service.track('lead', { click_id: clickId, customer_key: 'faithful' });
  await service.track('sale', { transaction_id: 'in_faithful', customer_key: 'faithful', amount_cents: 4900 });
  const { data: explained } = await service.dashboard('GET', `/programs/${service.demo.program_id}/sales/in_faithful`);
  expect(explained.attribution.partner).toMatchObject({ name: 'Ana', short_link: 'ana' });
  expect(explained.commission).toMatchObject({ amount_cents: 980 });
  expect(visitor.logged).toEqual([]);
});

it('the first two snippets of the tracker’s README record a click and send a sign-up', async () => {
  const readme = await readFile('lib/apps/tracker/README.md', 'utf8');
  const snippets = [...readme.matchAll(/^```html\n(<script.*?)^```$/gms)].map(([, snippet]) => snippet);
  expect(snippets).toHaveLength(3);
  stage.http.head = snippets.slice(0, 2).join('').replace('http://127.0.0.1:8787', stage.gate.url);
  await visit('/?aff=ana');
  const clickId = await clickIdKept();
  await eventually(() => expect(stage.gate.sent.at(-1)?.path).toBe('/api/v1/track/lead'));
  expect(stage.gate.sent.at(-1)?.body).toMatchObject({
    customer_key: 'user_123',
    email: 'jo@example.com',
    click_id: clickId,
    program_id: 1,
  });
});

describe('a sign-up that a brand’s page sends', () => {
  it.each([
    ['the page is left', () => signUpAndLeave(stage.http.url('www.brand.test', '/welcome'))],
    [
      'the tab is closed',
      async () => {
        await visitor.page.evaluate(() => void window.service?.signup('hasty'));
        await visitor.page.close();
      },
    ],
  ])('arrives at the service even if %s right after it', async (_, leave) => {
    await visit('/?aff=ana');
    const clickId = await clickIdKept();
    await leave();
    await eventually(async () => expect(await eventsOf(clickId)).toMatchObject([{ type: 'click' }, { type: 'lead' }]));
  });

  it('arrives without a click id if the page is left before the reply to the click; the next page sends the click again', async () => {
    const answer = stage.gate.holdClicks();
    await visit('/?aff=ana');
    await visitor.page.waitForFunction(() => window.service?.loaded && document.readyState === 'complete');
    await eventually(() => expect(stage.gate.sent).toHaveLength(1));
    await signUpAndLeave(stage.http.url('app.brand.test', '/welcome'));
    await eventually(() => expect(stage.gate.sent).toHaveLength(3));
    const lead = stage.gate.sent.find(({ path }) => path.endsWith('/lead'));
    expect(lead?.body).toEqual({
      customer_key: 'hasty',
      program_id: stage.service.demo.program_id,
      page_url: stage.http.url('www.brand.test', '/?aff=ana'),
      session_id: expect.any(String),
    });
    answer();
    await clickIdKept();
    const [, resent] = stage.gate.sent.filter(({ path }) => path.endsWith('/click'));
    expect(resent?.body).toMatchObject({
      affiliate_url: stage.http.url('www.brand.test', '/?aff=ana'),
      page_url: stage.http.url('app.brand.test', '/welcome'),
    });
  });
});

describe('the cookies of the tracker', () => {
  it.each([
    ['http', 'www.brand.test', '.brand.test'],
    ['http', 'a.b.brand.test', '.brand.test'],
    ['http', 'shop.example.co.uk', '.example.co.uk'],
    ['http', 'localhost', 'localhost'],
    ['http', '127.0.0.1', '127.0.0.1'],
    ['https', 'www.brand.test', '.brand.test'],
  ] as const)('that a page at %s://%s sets are valid for %s', async (scheme, host, domain) => {
    const site = stage[scheme];
    site.head = stage.scriptTag();
    await visitor.page.goto(site.url(host, '/?aff=ana'));
    const cookies = await eventually(async () => {
      const kept = await visitor.cookies();
      expect(Object.keys(kept).toSorted()).toEqual(names);
      return kept;
    });
    const secure = scheme === 'https';
    const days = 60 * 86_400;
    for (const name of names) {
      expect(cookies[name]).toMatchObject({ domain, path: '/', sameSite: 'Lax', secure, httpOnly: false });
      expect(Math.abs(cookies[name]!.expires - Date.now() / 1_000 - days)).toBeLessThan(60);
    }
  });

  it('cause no error in a sandboxed frame, where reading cookies throws an exception', async () => {
    const { http } = stage;
    http.head = '';
    await visit('/');
    http.head = stage.scriptTag();
    await visitor.page.evaluate(
      (src) => {
        const frame = document.createElement('iframe');
        frame.sandbox.add('allow-scripts');
        frame.src = src;
        document.body.append(frame);
      },
      http.url('www.brand.test', '/?aff=ana'),
    );
    // The page's origin is in no allow-list, so the browser withholds the replies.
    await logs(/^error: \[Affiliate\] click TypeError/);
    const frame = visitor.page.frames().at(-1)!;
    expect(await frame.evaluate(() => window.service?.getData())).toMatchObject({ clickId: null });
    expect(await visitor.cookies()).toEqual({});
  });
});

describe('a page of the brand', () => {
  it('only logs an error if the service is unreachable; the next page sends the click', async () => {
    stage.gate.isBroken = true;
    await visit('/?aff=ana');
    await logs(/^error: \[Affiliate\] click TypeError: Failed to fetch/);
    expect(Object.keys(await visitor.cookies())).toEqual(['service_aff_url']);
    stage.gate.isBroken = false;
    await visit('/pricing');
    await clickIdKept();
    expect(stage.gate.sent.at(-1)?.body.affiliate_url).toBe(stage.http.url('www.brand.test', '/?aff=ana'));
  });

  it('whose origin the program does not allow cannot send a click, and the browser’s console says why', async () => {
    await visit('/?aff=ana', 'www.elsewhere.test');
    await logs(
      /^error: \[Affiliate\] click TypeError: Failed to fetch[^]* Is http:\/\/www\.elsewhere\.test:\d+ an allowed origin of the program/,
    );
    expect(stage.gate.sent).toEqual([]);
  });
});
