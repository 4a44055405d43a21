import { describe, expect, it } from 'vitest';
import { startTracker } from '#lib/apps/tracker/tracker.ts';
import { clickReply, fakePage, settled } from '#test/apps/tracker/fake-page.ts';

const api = 'https://ref.example.com';
const landing = 'https://www.brand.test/?aff=ana';
const options = () => ({ programId: 430, apiBase: api });

/** A visitor whose click has no reply yet. */
function newcomer() {
  const page = fakePage({ url: landing });
  const click = Promise.withResolvers<Response>();
  page.answer = ({ url }) => (url.endsWith('/click') ? click.promise : Response.json({ success: true }));
  return { page, tracker: startTracker(options(), page), answerClick: click.resolve, failClick: click.reject };
}

/** A visitor without a partner. */
function stranger() {
  const page = fakePage({ url: 'https://www.brand.test/signup' });
  page.answer = () => Response.json({ success: true });
  return { page, tracker: startTracker(options(), page) };
}

const bodiesOf = ({ posts }: ReturnType<typeof fakePage>, path: string) =>
  posts.filter(({ url }) => url === `${api}/api/v1/track/${path}`).map(({ body }) => body);

describe('signup of the tracker', () => {
  it('sends a lead without a program key', async () => {
    const { page, tracker, answerClick } = newcomer();
    answerClick(clickReply('clk_1'));
    await tracker.signup('user_123', 'jo@example.com');
    const [click] = bodiesOf(page, 'click');
    expect(bodiesOf(page, 'lead')).toEqual([
      {
        customer_key: 'user_123',
        email: 'jo@example.com',
        click_id: 'clk_1',
        program_id: 430,
        page_url: landing,
        session_id: click?.session_id,
      },
    ]);
    expect(page.posts[1]?.init).toMatchObject({
      keepalive: true,
      credentials: 'omit',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(page.logged).toEqual([]);
  });

  it('waits for the reply to the click before it sends the lead', async () => {
    const { page, tracker, answerClick } = newcomer();
    const done = tracker.signup('user_123');
    await settled();
    expect(bodiesOf(page, 'lead')).toEqual([]);
    answerClick(clickReply('clk_1'));
    await done;
    expect(bodiesOf(page, 'lead')).toMatchObject([{ customer_key: 'user_123', click_id: 'clk_1' }]);
  });

  it('sends the lead at once if the visitor leaves the page, and not a second time', async () => {
    const { page, tracker, answerClick } = newcomer();
    const done = tracker.signup('user_123');
    await settled();
    page.leave();
    await done;
    answerClick(clickReply('clk_1'));
    await settled();
    expect(bodiesOf(page, 'lead')).toEqual([
      { customer_key: 'user_123', program_id: 430, page_url: landing, session_id: expect.any(String) },
    ]);
  });

  it('sends the lead without a click id if the click has failed', async () => {
    const { page, tracker, failClick } = newcomer();
    failClick(new TypeError('Failed to fetch'));
    await tracker.signup('user_123');
    expect(bodiesOf(page, 'lead')[0]).not.toHaveProperty('click_id');
  });

  it('accepts a number as customer key', async () => {
    const { page, tracker } = stranger();
    await tracker.signup(42);
    await tracker.signup(0);
    expect(bodiesOf(page, 'lead')).toMatchObject([{ customer_key: '42' }, { customer_key: '0' }]);
  });

  it.each([undefined, null, '', '  ', Number.NaN, Infinity, {}, [], true])(
    'sends nothing for the customer key %j, and logs that',
    async (key) => {
      const { page, tracker } = stranger();
      await tracker.signup(key as string);
      expect(page.posts).toEqual([]);
      expect(page.logged).toEqual(['error: [Affiliate] signup needs your customer key. Nothing was sent.']);
    },
  );

  it('gives up after two attempts, and throws no error into the page', async () => {
    const { page, tracker } = stranger();
    page.answer = () => Promise.reject(new TypeError('Failed to fetch'));
    await expect(tracker.signup('user_123')).resolves.toBeUndefined();
    expect(page.posts).toHaveLength(2);
    expect(page.logged).toEqual([
      'error: [Affiliate] lead TypeError: Failed to fetch Is https://www.brand.test an allowed origin of the program (Settings)?',
    ]);
  });
});

describe('trackLead of the tracker', () => {
  it.each([
    [
      { customer_key: 'user_123', email: 'jo@example.com' },
      { customer_key: 'user_123', email: 'jo@example.com' },
    ],
    [{ user_id: 7 }, { customer_key: '7' }],
    [{ customer_key: 'user_123', user_id: 7 }, { customer_key: 'user_123' }],
  ])('sends, for %j, the same lead as signup with %j', async (lead, body) => {
    const { page, tracker } = stranger();
    await tracker.trackLead(lead);
    expect(bodiesOf(page, 'lead')).toMatchObject([body]);
  });

  it.each([undefined, null, {}])('sends nothing for %j, and logs that', async (lead) => {
    const { page, tracker } = stranger();
    await tracker.trackLead(lead as object);
    expect(page.posts).toEqual([]);
    expect(page.logged).toHaveLength(1);
  });
});

it('trackTest of the tracker sends a test click and stores nothing', async () => {
  const { page, tracker } = stranger();
  page.answer = () => Response.json({ success: true, click_id: 'clk_test_1', cookie_window_days: 60 });
  await tracker.trackTest();
  expect(bodiesOf(page, 'click')).toEqual([
    {
      affiliate_url: 'https://www.brand.test/signup',
      additional_data: { test_mode: true, program_id: 430 },
      page_url: 'https://www.brand.test/signup',
      session_id: expect.any(String),
    },
  ]);
  expect(page.jar).toEqual(new Map());
  expect(tracker.getClickId()).toBeNull();
});

describe('the data about the visitor that the tracker gives to the page', () => {
  it('change when the reply to the click arrives', async () => {
    const { tracker, answerClick } = newcomer();
    const known = () => {
      const { clickId, affiliateUrl, hasAffiliateAttribution, debugMode, programId, loaded } = tracker;
      return { clickId, affiliateUrl, hasAffiliateAttribution, debugMode, programId, loaded };
    };
    await settled();
    const always = { affiliateUrl: landing, debugMode: false, programId: 430, loaded: true };
    expect(known()).toEqual({ ...always, clickId: null, hasAffiliateAttribution: false });
    expect(tracker.getClickId()).toBeNull();
    answerClick(clickReply('clk_1'));
    await settled();
    expect(known()).toEqual({ ...always, clickId: 'clk_1', hasAffiliateAttribution: true });
    expect(tracker.getClickId()).toBe('clk_1');
  });

  it('are empty for a visitor without a click', () => {
    expect(stranger().tracker.getData()).toEqual({
      clickId: null,
      programId: 430,
      hasAttribution: false,
      affiliateUrl: null,
    });
  });

  it('are available after init, which sends nothing if a click was already sent', async () => {
    const { page, tracker, answerClick } = newcomer();
    answerClick(clickReply('clk_1'));
    await settled();
    tracker.init({ programId: '7', debug: true, apiBase: 'https://other.example.com/' });
    await settled();
    expect(page.posts).toHaveLength(1);
    expect(tracker).toMatchObject({ programId: 7, debugMode: true });
    await tracker.signup('user_123');
    expect(page.posts[1]).toMatchObject({
      url: 'https://other.example.com/api/v1/track/lead',
      body: { program_id: 7 },
    });
    expect(page.logged).toEqual(['info: [Affiliate] lead 200 {"success":true}']);
  });
});
