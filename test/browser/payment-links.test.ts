import { readFile } from 'node:fs/promises';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#test/browser/support/eventually.ts';
import { type Stage, startStage, type Visitor } from '#test/browser/support/stage.ts';

// The click id on Stripe's links and elements, in a real browser. Stripe's own pages and scripts are not available
// offline.

const CLICK = 'clk_0123456789abcdefghjkmnpqrs';
const link = 'https://buy.stripe.com/test_1';
const marked = `${link}?client_reference_id=${CLICK}`;

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

const tag = (attributes = '') => `<script async src="${stage.gate.url}/js/payment-links.js" ${attributes}></script>`;
const keepCookie = (value = CLICK) =>
  visitor.context.addCookies([{ name: 'service_click_id', value, domain: '.brand.test', path: '/' }]);
const visit = (path = '/') => visitor.page.goto(stage.http.url('www.brand.test', path));

/** Shows a page with the script and these elements. */
async function show(elements: string, attributes?: string): Promise<void> {
  stage.http.head = tag(attributes) + elements;
  await visit();
}

/** The URLs of all links as written. */
const hrefs = () => visitor.page.$$eval('a,area', (links) => links.map((each) => each.getAttribute('href')));
const becomes = (...expected: (string | null)[]) => eventually(async () => expect(await hrefs()).toEqual(expected));
const references = () =>
  visitor.page.$$eval('stripe-pricing-table,stripe-buy-button', (elements) =>
    elements.map((each) => each.getAttribute('client-reference-id')),
  );

it('a purchase through a Stripe Payment Link, with the README’s snippet, is attributed to the partner', async () => {
  const { service } = stage;
  const { program_id: id } = service.demo;
  const readme = await readFile('lib/apps/tracker/README.md', 'utf8');
  const [, snippet] = /^```html\n(<script[^\n]*payment-links.*?)^```$/ms.exec(readme)!;
  const answer = stage.gate.holdClicks();
  stage.http.head = snippet!.replace('http://127.0.0.1:8787', stage.gate.url) + stage.scriptTag();
  await visit('/?aff=ana');
  await eventually(() => expect(stage.gate.sent).toHaveLength(1));
  expect(await hrefs()).toEqual(['https://buy.stripe.com/test_00g3cv']);
  answer();
  await eventually(async () => expect(await hrefs()).toEqual([expect.stringContaining('?client_reference_id=clk_')]));
  const clickId = (await visitor.cookies()).service_click_id!.value;
  expect(await references()).toEqual([clickId, clickId]);

  const paidAt: Promise<string> = new Promise((resolve) => {
    void visitor.page.route('https://buy.stripe.com/**', (route) => {
      resolve(route.request().url());
      return route.fulfill({ body: 'Pay' });
    });
  });
  await visitor.page.getByRole('link', { name: 'Buy' }).click();
  expect(await paidAt).toBe(`https://buy.stripe.com/test_00g3cv?client_reference_id=${clickId}`);

  await service.dashboard('PUT', `/programs/${id}/processor`, { signing_secret: 'whsec_example' });
  const payload = JSON.stringify({
    id: 'evt_link',
    type: 'checkout.session.completed',
    created: Math.floor(Date.now() / 1000),
    livemode: true,
    data: {
      object: {
        id: 'cs_link',
        mode: 'payment',
        payment_status: 'paid',
        amount_total: 4900,
        currency: 'usd',
        client_reference_id: new URL(await paidAt).searchParams.get('client_reference_id'),
        metadata: {},
      },
    },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_example' });
  const headers = { 'stripe-signature': signature };
  const path = `${service.url}/api/v1/webhooks/stripe/${id}`;
  expect((await fetch(path, { method: 'POST', headers, body: payload })).status).toBe(200);
  const { data: explained } = await service.dashboard('GET', `/programs/${id}/sales/cs_link`);
  expect(explained.attribution.partner).toMatchObject({ name: 'Ana', short_link: 'ana' });
  expect(explained.commission).toMatchObject({ amount_cents: 980 });
});

describe('a Stripe Payment Link on a page with the tracker', () => {
  it('gets the click id as a query parameter', async () => {
    const links = [
      ['', marked],
      ['?', marked],
      ['#top', `${marked}#top`],
      [
        '?prefilled_email=jo%40a.test&x=a+b%20c#top',
        `${link}?prefilled_email=jo%40a.test&x=a+b%20c&client_reference_id=${CLICK}#top`,
      ],
      ['?client_reference_id=user_1', `${link}?client_reference_id=user_1`],
      ['?client_reference_id=', `${link}?client_reference_id=`],
      ['?a=b&client%5Freference_id=user_1', `${link}?a=b&client%5Freference_id=user_1`],
      ['?not_client_reference_id=1', `${link}?not_client_reference_id=1&client_reference_id=${CLICK}`],
    ];
    await keepCookie();
    await show(links.map(([rest]) => `<a href="${link}${rest}">Buy</a>`).join(''));
    await becomes(...links.map(([, expected]) => expected!));
  });

  it('is left unchanged if it leads to another host, in any spelling of the host', async () => {
    const others = [
      '/buy.stripe.com/',
      'http://buy.stripe.com/test_1',
      'https://buy.stripe.com.evil.test/test_1',
      'https://evil.test/?to=https://buy.stripe.com/test_1',
      'https://user@pay.example.com/',
      'https://buy.stripe.com:8443/test_1',
      'https://',
      'https://%',
      'https://[::1',
      'javascript:void 0',
      'mailto:jo@buy.stripe.com',
      '',
    ];
    await keepCookie();
    await show(`${others.map((href) => `<a href="${href}">Other</a>`).join('')}<a>None</a><a href="${link}">Last</a>`);
    await becomes(...others, null, marked);
  });

  it('is recognised by its host in any spelling, and also in an image map', async () => {
    await keepCookie();
    await show(`<a href="HTTPS://BUY.stripe.com:443/a">Buy</a><map><area href="${link}"></map>
      <a href="${link}">Last</a>`);
    await becomes(`https://buy.stripe.com/a?client_reference_id=${CLICK}`, marked, marked);
  });

  it('to another host that the script tag names is recognised, in any spelling of the host', async () => {
    await keepCookie();
    const hosts = ['pay.example.com', 'shop.example.com', 'buy.example.com:8443', 'stripe.com'];
    await show(
      hosts.map((host) => `<a href="https://${host}/a">Buy</a>`).join('') + `<a href="${link}">Last</a>`,
      'data-service-hosts="  Pay.example.com, shop.example.com\n buy.example.com:8443,"',
    );
    const urls = hosts.map((host, index) => `https://${host}/a${index < 3 ? `?client_reference_id=${CLICK}` : ''}`);
    await becomes(...urls, marked);
  });
});

describe('the click id that the tracker adds to Stripe Payment Links', () => {
  it.each([
    ['none', undefined],
    ['an id that Stripe would refuse', 'clk%201'],
    ['an empty id', ''],
  ])('is added as soon as the cookie contains one, even if at first it had %s', async (_, value) => {
    if (value !== undefined) await keepCookie(value);
    await show(`<a href="${link}">Buy</a><stripe-buy-button></stripe-buy-button>`);
    await visitor.page.waitForLoadState('load');
    expect(await hrefs()).toEqual([link]);
    await keepCookie();
    await becomes(marked);
    expect(await references()).toEqual([CLICK]);
  });

  it('stays in links that already have it, and is not added to new links after the cookie is deleted', async () => {
    await keepCookie();
    await show(`<a href="${link}">Buy</a>`);
    await becomes(marked);
    await visitor.context.clearCookies();
    await visitor.page.evaluate((href) => {
      document.body.insertAdjacentHTML('beforeend', `<a href="${href}">New</a>`);
    }, link);
    await keepCookie('clk_other');
    await becomes(marked, `${link}?client_reference_id=clk_other`);
  });

  it('is not added in a frame that has no cookies, and the frame’s page works normally', async () => {
    stage.http.head = '';
    await visit();
    stage.http.head = `${tag()}<a href="${link}">Buy</a>`;
    await visitor.page.evaluate((src) => {
      const frame = document.createElement('iframe');
      frame.sandbox.add('allow-scripts');
      frame.src = src;
      document.body.append(frame);
    }, stage.http.url('www.brand.test'));
    await eventually(() => expect(visitor.page.frames()).toHaveLength(2));
    const frame = visitor.page.frames()[1]!;
    await frame.waitForLoadState('load');
    expect(await frame.locator('a').getAttribute('href')).toBe(link);
  });
});

describe('Stripe Payment Links that scripts add or change on a page', () => {
  it('get the click id when they appear, and get it again if another script removes it', async () => {
    await keepCookie();
    await show('<h2>Prices</h2>');
    await visitor.page.evaluate((href) => {
      document.body.insertAdjacentHTML(
        'beforeend',
        `<p><a href="${href}">Buy</a></p><stripe-pricing-table></stripe-pricing-table>
         <stripe-buy-button client-reference-id="user_1"></stripe-buy-button>`,
      );
    }, link);
    await becomes(marked);
    expect(await references()).toEqual([CLICK, 'user_1']);
    await visitor.page.evaluate(() => {
      document.links[0]!.href = 'https://buy.stripe.com/test_2';
      document.querySelector('stripe-pricing-table')!.removeAttribute('client-reference-id');
    });
    await becomes(`https://buy.stripe.com/test_2?client_reference_id=${CLICK}`);
    expect(await references()).toEqual([CLICK, 'user_1']);
  });

  it('do not get the click id if they are inside a shadow root', async () => {
    await keepCookie();
    await show('<div></div>');
    await visitor.page.evaluate((href) => {
      const root = document.querySelector('div')!.attachShadow({ mode: 'open' });
      root.innerHTML = `<a href="${href}">Hidden</a>`;
      document.body.insertAdjacentHTML('beforeend', `<a href="${href}">Buy</a>`);
    }, link);
    // Playwright includes open shadow roots, in page order.
    await becomes(link, marked);
  });

  it('are looked for at most four times a second, however often the page changes', async () => {
    await keepCookie();
    // The script reads the cookies before each search of the page.
    await visitor.page.addInitScript(() => {
      const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')!;
      Object.assign(window, { looks: 0 });
      Object.defineProperty(document, 'cookie', {
        get() {
          (window as unknown as { looks: number }).looks += 1;
          return cookie.get!.call(document);
        },
      });
    });
    await show(`<main>${`<a href="${link}">Buy</a><p>Text</p>`.repeat(500)}</main><div></div>`);
    await becomes(...Array<string>(500).fill(marked));
    const { changes, elapsedMs, looks } = await visitor.page.evaluate(async (href) => {
      const counted = window as unknown as { looks: number };
      const box = document.querySelector('div')!;
      const [start, before] = [performance.now(), counted.looks];
      let count = 0;
      while (performance.now() < start + 1_000) {
        box.innerHTML = `<a href="${href}">${count}</a>`.repeat(20);
        count += 1;
        await new Promise(requestAnimationFrame);
      }
      return { changes: count, elapsedMs: performance.now() - start, looks: counted.looks - before };
    }, link);
    expect(changes).toBeGreaterThan(elapsedMs / 250 + 1);
    expect(looks).toBeLessThanOrEqual(elapsedMs / 250 + 1);
    await becomes(...Array<string>(520).fill(marked));
  });
});
