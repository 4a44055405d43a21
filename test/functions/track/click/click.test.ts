import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { feedKeys } from '#lib/service/ground/table/keys.ts';
import { setLinkStatus } from '#lib/service/programs/links/set-link-status.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { anotherPartner, changeLink, changeProgram, clicked } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import type { Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const brand = opened(() => world.brand());

const LATER = new Date(NOW.getTime() + 86_400_000);
const CLICK_ID = /^clk_[0-9a-hjkmnp-tv-z]{26}$/;
const headers = { ...countedHeaders(60), Vary: 'Origin' };

const oneOf = (texts: readonly string[]) => expect.stringMatching(new RegExp(`^(${texts.join('|')})$`));

const customerItem = ({ program, partner, shortLink, affiliateUrl }: Omit<Brand, 'key'>, clickId: string) => ({
  pk: `CUSTOMER#${clickId}`,
  sk: 'CUSTOMER',
  id: expect.any(Number),
  clickId,
  programId: program.id,
  partnerId: partner.id,
  shortLink,
  status: 'click',
  firstClickAt: NOW.toISOString(),
  visit: { affiliateUrl },
  // 60 days of the window and 90 more.
  expires_at: (NOW.getTime() + 150 * 86_400_000) / 1_000,
  gsi1pk: oneOf(feedKeys(program.id, 'click', 'EVENTS')),
  gsi1sk: expect.stringMatching(/^2026-11-20T15:00:00\.000Z#\d+$/),
});

describe('a first click', () => {
  it('creates a customer for the partner and program of the link', async () => {
    const reply = await send(click, { body: { affiliate_url: brand.affiliateUrl } });
    expect(reply).toEqual({
      status: 200,
      headers,
      body: {
        success: true,
        click_id: expect.stringMatching(CLICK_ID),
        partner_code: brand.shortLink,
        cookie_window_days: 60,
      },
    });
    expect(await world.items(`CUSTOMER#${reply.body.click_id}`)).toEqual([customerItem(brand, reply.body.click_id)]);
  });

  it('gives every visitor a different click id', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => clicked(brand)));
    expect(new Set(ids).size).toBe(20);
  });

  it('returns the attribution window of the program', async () => {
    const { affiliateUrl } = await world.brand({ attributionWindowDays: 7 });
    const { body } = await send(click, { body: { affiliate_url: affiliateUrl } });
    expect(body.cookie_window_days).toBe(7);
  });

  it('finds the link only by the first aff parameter of the URL', async () => {
    const affiliateUrl = `http://elsewhere.test:8080/a/b?x=1&aff=${brand.shortLink}&aff=other#top`;
    const { body } = await send(click, { body: { affiliate_url: affiliateUrl } });
    expect(body).toMatchObject({ success: true, partner_code: brand.shortLink });
  });

  it('stores the browser’s data about the visit; each text is cut to 2,048 characters, and invalid characters are removed', async () => {
    const { body } = await send(click, {
      headers: { 'user-agent': 'from the header' },
      body: {
        affiliate_url: brand.affiliateUrl,
        page_url: `https://brand.test/${'x'.repeat(3_000)}`,
        page_title: 'Welcome',
        referrer_url: 'https://blog.test/',
        session_id: 's1',
        screen_resolution: '800x600',
        viewport_size: '800x500',
        language: 'en',
        timezone: 7,
        unknown_field: 'ignored',
      },
    });
    const [customer] = await world.items(`CUSTOMER#${body.click_id}`);
    expect(customer?.visit).toEqual({
      affiliateUrl: brand.affiliateUrl,
      pageUrl: `https://brand.test/${'x'.repeat(3_000)}`.slice(0, 2_048),
      pageTitle: 'Welcome',
      referrerUrl: 'https://blog.test/',
      sessionId: 's1',
      userAgent: 'from the header',
      screenResolution: '800x600',
      viewportSize: '800x500',
      language: 'en',
    });
  });

  it('stores the user agent from the body rather than from the header', async () => {
    const { body } = await send(click, {
      headers: { 'user-agent': 'from the header' },
      body: { affiliate_url: brand.affiliateUrl, user_agent: 'from the body' },
    });
    const [customer] = await world.items(`CUSTOMER#${body.click_id}`);
    expect(customer?.visit).toMatchObject({ userAgent: 'from the body' });
  });

  it.each([
    ['a lone surrogate', '\ud800'],
    ['two-unit characters up to the limit', '😀'.repeat(1_500)],
    ['a two-unit character cut at the limit', `x${'😀'.repeat(1_500)}`],
  ])('records a landing URL with %s', async (_, text) => {
    const { body, status } = await send(click, {
      body: { affiliate_url: `${brand.affiliateUrl}&x=${text}`, page_title: text },
    });
    expect(status).toBe(200);
    const [customer] = await world.items(`CUSTOMER#${body.click_id}`);
    expect(customer?.visit).toMatchObject({ affiliateUrl: expect.stringContaining(brand.affiliateUrl) });
  });

  it.each([
    ['no known key', 'Bearer aff_1_unknown'],
    ['an empty token', 'Bearer '],
    ['another scheme', 'Basic x'],
  ])('is recorded even with an Authorization header with %s', async (_, authorization) => {
    const { status } = await send(click, { headers: { authorization }, body: { affiliate_url: brand.affiliateUrl } });
    expect(status).toBe(200);
  });

  it('is a test event only if test_mode is exactly true', async () => {
    const body = { affiliate_url: brand.affiliateUrl, additional_data: { test_mode: 'true' } };
    expect((await send(click, { body })).body.click_id).toMatch(CLICK_ID);
  });

  it('is recorded in a paused program', async () => {
    const paused = await world.brand();
    await changeProgram(world, paused, { status: 'paused' });
    expect(await clicked(paused)).toMatch(CLICK_ID);
  });
});

describe('a later click by a known visitor', () => {
  it.each(['existing_click_id', 'click_id'])(
    'that sends %s is recorded for the new link’s partner, and the customer stays with the first partner',
    async (field) => {
      const ben = await anotherPartner(world, brand, field === 'click_id' ? 'Ben' : 'Cleo');
      const clickId = await clicked(brand);
      const reply = await send(click, { at: LATER, body: { affiliate_url: ben.affiliateUrl, [field]: clickId } });
      expect(reply).toEqual({
        status: 200,
        headers: { ...countedHeaders(60, 1, LATER), Vary: 'Origin' },
        body: { success: true, click_id: clickId, partner_code: ben.shortLink, cookie_window_days: 60 },
      });
      expect(await world.items(`CUSTOMER#${clickId}`)).toEqual([
        {
          pk: `CUSTOMER#${clickId}`,
          sk: expect.stringMatching(/^CLICK#2026-11-21T15:00:00\.000Z#\d+$/),
          id: expect.any(Number),
          clickId,
          programId: brand.program.id,
          partnerId: ben.partner.id,
          shortLink: ben.shortLink,
          createdAt: LATER.toISOString(),
          visit: { affiliateUrl: ben.affiliateUrl },
          // It expires with the first click.
          expires_at: customerItem(brand, clickId).expires_at,
          gsi1pk: oneOf(feedKeys(brand.program.id, 'click', 'EVENTS')),
          gsi1sk: expect.stringMatching(/^2026-11-21T15:00:00\.000Z#\d+$/),
        },
        customerItem(brand, clickId),
      ]);
    },
  );

  it('finds the customer by click_id if existing_click_id is blank', async () => {
    const clickId = await clicked(brand);
    const body = { affiliate_url: brand.affiliateUrl, existing_click_id: ' ', click_id: clickId };
    expect((await send(click, { body })).body.click_id).toBe(clickId);
  });

  it('in the same millisecond as another is stored as a second click', async () => {
    const clickId = await clicked(brand);
    const again = { body: { affiliate_url: brand.affiliateUrl, existing_click_id: clickId } };
    await Promise.all([send(click, again), send(click, again)]);
    expect(await world.items(`CUSTOMER#${clickId}`)).toHaveLength(3);
  });

  it('creates a new customer if the sent click id belongs to another program', async () => {
    const other = await world.brand();
    const clickId = await clicked(other);
    const before = await world.items(`CUSTOMER#${clickId}`);
    const { body } = await send(click, { body: { affiliate_url: brand.affiliateUrl, existing_click_id: clickId } });
    expect(body.click_id).not.toBe(clickId);
    expect(await world.items(`CUSTOMER#${body.click_id}`)).toEqual([customerItem(brand, body.click_id)]);
    expect(await world.items(`CUSTOMER#${clickId}`)).toEqual(before);
  });

  it.each([
    ['unknown', 'clk_00000000000000000000000000'],
    ['not a string', { id: 1 }],
    ['a number', 7],
    ['too long', 'c'.repeat(256)],
    ['not plain text', 'clk_\u0000'],
    ['not Unicode', '\udfff'],
  ])('creates a new customer if the sent click id is %s', async (_, existing) => {
    const { body } = await send(click, { body: { affiliate_url: brand.affiliateUrl, existing_click_id: existing } });
    expect(await world.items(`CUSTOMER#${body.click_id}`)).toEqual([customerItem(brand, body.click_id)]);
  });
});

describe('the error 410 link_disabled for a click', () => {
  const refusal = {
    success: false,
    message: 'Referral link is inactive',
    error: {
      code: 'link_disabled',
      message: 'Referral link is inactive',
      hint: 'Ask the program owner to reactivate this link.',
    },
  };

  it('is returned for a link that is switched off; nothing is recorded, and the link works once switched on again', async () => {
    const off = await world.brand();
    const clickId = await clicked(off);
    await setLinkStatus(world.deps(), off.program.id, off.shortLink, 'inactive');
    const request = { body: { affiliate_url: off.affiliateUrl, existing_click_id: clickId } };
    expect(await send(click, request)).toEqual({ status: 410, headers, body: refusal });
    expect(await world.items(`CUSTOMER#${clickId}`)).toEqual([customerItem(off, clickId)]);

    await setLinkStatus(world.deps(), off.program.id, off.shortLink, 'active');
    expect((await send(click, request)).status).toBe(200);
  });

  it('is returned for a link of a removed partner', async () => {
    const left = await world.brand();
    await changeLink(world, left, { partnerRemoved: true });
    const reply = await send(click, { body: { affiliate_url: left.affiliateUrl } });
    expect(reply).toEqual({ status: 410, headers, body: refusal });
  });
});
