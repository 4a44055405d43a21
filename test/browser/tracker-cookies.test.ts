import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#test/browser/support/eventually.ts';
import { type Stage, startStage, type Visitor } from '#test/browser/support/stage.ts';

// Where and for how long a browser keeps the click, and what happens where it keeps nothing.

const DAY_SECONDS = 86_400;
const names = ['service_aff_last', 'service_aff_url', 'service_click_id'];

let stage: Stage;
let visitor: Visitor;

beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

beforeEach(async () => {
  stage.gate.reset();
  visitor = await stage.visitor();
});
afterEach(() => visitor.leave());

/** The cookies by name, when all are there. */
const cookiesKept = () =>
  eventually(async () => {
    const cookies = await visitor.cookies();
    expect(Object.keys(cookies).toSorted()).toEqual(names);
    return cookies;
  });

describe('the cookies', () => {
  it.each([
    ['www.brand.test', '.brand.test'],
    ['brand.test', '.brand.test'],
    ['a.b.brand.test', '.brand.test'],
    ['shop.example.co.uk', '.example.co.uk'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
  ])('of a visit on %s belong to %s', async (host, domain) => {
    const { http } = stage;
    http.head = stage.scriptTag();
    await visitor.page.goto(http.url(host, '/?aff=ana'));
    const cookies = await cookiesKept();
    for (const name of names) {
      expect(cookies[name]).toMatchObject({ domain, path: '/', sameSite: 'Lax', secure: false, httpOnly: false });
    }
    expect(cookies.service_aff_last?.value).toBe('ana');
    expect(cookies.service_aff_url?.value).toBe(encodeURIComponent(http.url(host, '/?aff=ana')));
  });

  it('of an https page are secure', async () => {
    const { https } = stage;
    https.head = stage.scriptTag();
    await visitor.page.goto(https.url('www.brand.test', '/?aff=ana'));
    const cookies = await cookiesKept();
    for (const name of names) {
      expect(cookies[name]).toMatchObject({ domain: '.brand.test', sameSite: 'Lax', secure: true });
    }
  });

  it('belong to the domain that the tag chooses', async () => {
    const { http } = stage;
    http.head = stage.scriptTag('data-service-cookie-domain="app.brand.test"');
    await visitor.page.goto(http.url('eu.app.brand.test', '/?aff=ana'));
    const cookies = await cookiesKept();
    for (const name of names) expect(cookies[name]?.domain).toBe('.app.brand.test');
  });

  it("last for the program's attribution window", async () => {
    const { http, service } = stage;
    const program = `/programs/${service.demo.program_id}`;
    await service.dashboard('PATCH', program, { attribution_window_days: 7 });
    http.head = stage.scriptTag();
    await visitor.page.goto(http.url('www.brand.test', '/?aff=ana'));
    const cookies = await cookiesKept();
    await service.dashboard('PATCH', program, { attribution_window_days: 60 });
    const expected = Date.now() / 1_000 + 7 * DAY_SECONDS;
    for (const name of names) {
      expect(Math.abs(cookies[name]!.expires - expected)).toBeLessThan(60);
    }
  });
});

describe('without cookies', () => {
  it('the click lasts as long as the page, and its signup carries it', async () => {
    const { http, gate } = stage;
    http.head = stage.scriptTag();
    const session = await visitor.context.newCDPSession(visitor.page);
    await session.send('Emulation.setDocumentCookieDisabled', { disabled: true });
    await visitor.page.goto(http.url('www.brand.test', '/?aff=ana'));
    await visitor.page.waitForFunction(() => window.service?.hasAffiliateAttribution);
    await visitor.page.evaluate(() => window.service?.signup('user_123'));
    expect(await visitor.cookies()).toEqual({});
    expect(gate.sent.map(({ body }) => body.click_id)).toEqual([undefined, expect.stringMatching(/^clk_/)]);
    expect(visitor.logged).toEqual([]);
  });

  it('in a sandboxed frame, where asking for them throws, the page goes on', async () => {
    const { http } = stage;
    http.head = '';
    await visitor.page.goto(http.url('www.brand.test'));
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
    // Its origin is in no allow-list, so the browser withholds the answers.
    await eventually(() =>
      expect(visitor.logged).toEqual([expect.stringMatching(/^error: \[Affiliate\] click TypeError/)]),
    );
    const frame = visitor.page.frames().at(-1)!;
    expect(await frame.evaluate(() => window.service?.getData())).toMatchObject({ clickId: null });
    expect(await visitor.cookies()).toEqual({});
  });
});
