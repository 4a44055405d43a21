import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#test/browser/support/eventually.ts';
import { type Stage, startStage, type Visitor } from '#test/browser/support/stage.ts';

// Who gets the customer: the script of the running service, on a brand's site, in a real browser.

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

describe('a visitor', () => {
  it('who follows a link is recorded, and kept for the whole site', async () => {
    await visit('/pricing?aff=ana');
    const clickId = await clickIdKept();
    const landing = stage.http.url('www.brand.test', '/pricing?aff=ana');
    await eventually(async () => expect(await cookieValue('service_aff_last')).toBe('ana'));
    expect(await visitor.page.evaluate(() => window.service?.getData())).toEqual({
      clickId,
      programId: stage.service.demo.program_id,
      hasAttribution: true,
      affiliateUrl: landing,
    });
    expect(await eventsOf(clickId)).toEqual([
      {
        id: expect.any(Number),
        type: 'click',
        created_at: expect.any(String),
        is_test: false,
        keyed: false,
        partner_id: stage.service.demo.partner.id,
        partner_name: 'Ana',
        click_id: clickId,
        customer_key: null,
        short_link: 'ana',
        page_url: landing,
        referrer_url: '',
        first: true,
        quality: 'ok',
      },
    ]);
    expect(visitor.logged).toEqual([]);
  });

  it("who follows a link of another tool is recorded as by aff, and stays over another partner's", async () => {
    stage.http.head = stage.scriptTag('data-service-link-parameters="via,ref"');
    await visit('/pricing?ref=ana&token=s3cret#top');
    const clickId = await clickIdKept();
    const landing = stage.http.url('www.brand.test', '/pricing?ref=ana');
    await eventually(async () => expect(await cookieValue('service_aff_last')).toBe('ana'));
    expect(decodeURIComponent((await cookieValue('service_aff_url'))!)).toBe(`${landing}&aff=ana`);
    await visit('/?ref=ana');
    await visit('/?via=ben&ref=ana');
    await eventually(async () => expect(await cookieValue('service_aff_last')).toBe('ben'));
    expect(stage.gate.sent.map(({ body }) => [body.affiliate_url, body.existing_click_id])).toEqual([
      [`${landing}&aff=ana`, undefined],
      [stage.http.url('www.brand.test', '/?via=ben&ref=ana&aff=ben'), clickId],
    ]);
    expect(await eventsOf(clickId)).toMatchObject([
      { short_link: 'ana', first: true },
      { short_link: 'ben', first: false },
    ]);
    expect(visitor.logged).toEqual([]);
  });

  it('who comes back, by the same link or none, sends nothing', async () => {
    await visit('/?aff=ana');
    const clickId = await clickIdKept();
    await visit('/');
    await visit('/?aff=ana', 'app.brand.test');
    await visitor.page.waitForFunction(() => window.service?.loaded);
    await visitor.page.evaluate(() => window.service?.signup('returning'));
    expect(stage.gate.sent.map(({ path }) => path)).toEqual(['/api/v1/track/click', '/api/v1/track/lead']);
    expect(await cookieValue('service_click_id')).toBe(clickId);
  });

  it("who follows another partner's link later stays with the first partner, down to the commission", async () => {
    await visit('/?aff=ana');
    const clickId = await clickIdKept();
    const { expires } = (await visitor.cookies()).service_click_id!;
    await visit('/?aff=ben');
    await eventually(async () => expect(await cookieValue('service_aff_last')).toBe('ben'));
    const { service_click_id: kept, service_aff_url: landing } = await visitor.cookies();
    expect(kept).toMatchObject({ value: clickId, expires });
    expect(decodeURIComponent(landing!.value)).toBe(stage.http.url('www.brand.test', '/?aff=ana'));
    expect(await eventsOf(clickId)).toMatchObject([
      { short_link: 'ana', partner_name: 'Ana', first: true },
      { short_link: 'ben', partner_name: 'Ben', first: false },
    ]);

    await visitor.page.evaluate(() => window.service?.signup('faithful', 'jo@example.com'));
    await stage.service.track('lead', { click_id: clickId, customer_key: 'faithful' });
    await stage.service.track('sale', { transaction_id: 'in_faithful', customer_key: 'faithful', amount_cents: 4900 });
    const path = `/programs/${stage.service.demo.program_id}/sales/in_faithful`;
    const { data: explained } = await stage.service.dashboard('GET', path);
    expect(explained.attribution.partner).toMatchObject({ name: 'Ana', short_link: 'ana' });
    expect(explained.commission).toMatchObject({ amount_cents: 980 });
  });

  it('who signs up on another subdomain brings the click along', async () => {
    await visit('/?aff=ana');
    const clickId = await clickIdKept();
    await visit('/signup', 'app.brand.test');
    await visitor.page.waitForFunction(() => window.service?.loaded);
    await visitor.page.evaluate(() => window.service?.signup('user_123', 'jo@example.com'));
    expect(stage.gate.sent.at(-1)?.body).toEqual({
      customer_key: 'user_123',
      email: 'jo@example.com',
      click_id: clickId,
      program_id: stage.service.demo.program_id,
      page_url: stage.http.url('app.brand.test', '/signup'),
      session_id: expect.any(String),
    });
    expect(await eventsOf(clickId)).toMatchObject([
      { type: 'click' },
      { type: 'lead', state: 'provisional', mode: 'browser', email_masked: 'j***@example.com' },
    ]);
  });
});

it('does what its README promises, with its first two snippets', async () => {
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

describe('a signup', () => {
  it('queued before the script is there waits for the click', async () => {
    stage.http.head = `<script>
      window.serviceQueue = window.serviceQueue || [];
      serviceQueue.push(['signup', 'early', 'jo@example.com']);
    </script>${stage.scriptTag()}`;
    await visit('/?aff=ana');
    await eventually(() => expect(stage.gate.sent).toHaveLength(2));
    expect(stage.gate.sent[1]?.body).toMatchObject({ customer_key: 'early', click_id: await clickIdKept() });
  });

  it('is sent when the page is left right after it', async () => {
    await visit('/?aff=ana');
    const clickId = await clickIdKept();
    await visitor.page.evaluate(
      (welcome) => {
        void window.service?.signup('hasty');
        location.href = welcome;
      },
      stage.http.url('www.brand.test', '/welcome'),
    );
    await visitor.page.waitForURL('**/welcome');
    await eventually(async () => expect(await eventsOf(clickId)).toMatchObject([{ type: 'click' }, { type: 'lead' }]));
  });

  it('is sent when the tab is closed right after it', async () => {
    await visit('/?aff=ana');
    const clickId = await clickIdKept();
    await visitor.page.evaluate(() => void window.service?.signup('hasty'));
    await visitor.page.close();
    await eventually(async () => expect(await eventsOf(clickId)).toMatchObject([{ type: 'click' }, { type: 'lead' }]));
  });

  it('waits for a slow click', async () => {
    const answer = stage.gate.holdClicks();
    await visit('/?aff=ana');
    await visitor.page.waitForFunction(() => window.service?.loaded);
    await eventually(() => expect(stage.gate.sent).toHaveLength(1));
    await visitor.page.evaluate(() => void window.service?.signup('patient'));
    expect(await visitor.page.evaluate(() => window.service?.getClickId())).toBeNull();
    expect(stage.gate.sent).toHaveLength(1);
    answer();
    await eventually(() => expect(stage.gate.sent).toHaveLength(2));
    expect(stage.gate.sent[1]?.body).toMatchObject({ customer_key: 'patient', click_id: await clickIdKept() });
  });

  it('goes out with what is known when the page is left before the click is answered, and the next page is attributed', async () => {
    const answer = stage.gate.holdClicks();
    await visit('/?aff=ana');
    await visitor.page.waitForFunction(() => window.service?.loaded);
    await eventually(() => expect(stage.gate.sent).toHaveLength(1));
    await visitor.page.evaluate(
      (welcome) => {
        void window.service?.signup('hasty');
        location.href = welcome;
      },
      stage.http.url('app.brand.test', '/welcome'),
    );
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
