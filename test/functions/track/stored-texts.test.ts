import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const brand = opened(() => world.brand());

const testMode = { additional_data: { test_mode: true } };
const LONG = '€'.repeat(2_048);
const longVisit = () => ({
  affiliate_url: `${brand.affiliateUrl}&utm_source=${'x'.repeat(2_048)}`,
  page_url: `https://acme.test/${LONG}`,
  page_title: LONG,
  referrer_url: LONG,
  session_id: LONG,
  user_agent: LONG,
  screen_resolution: LONG,
  viewport_size: LONG,
  language: LONG,
  timezone: LONG,
});

/** The UTF-8 bytes of all stored texts of an event. */
const bytesOf = (texts: object): number =>
  Object.values(texts)
    .flat()
    .reduce((sum: number, text) => sum + Buffer.byteLength(String(text)), 0);

describe('the texts stored with an event have at most 8 KB together', () => {
  it('for a click, and no character is cut in half', async () => {
    const { status, body } = await send(click, { body: longVisit() });
    expect(status).toBe(200);
    const [customer] = await world.items(`CUSTOMER#${body.click_id}`);
    const { visit } = customer as { visit: Record<string, string> };
    expect(bytesOf(visit)).toBeGreaterThan(8_189);
    expect(bytesOf(visit)).toBeLessThanOrEqual(8_192);
    expect(visit.affiliateUrl).toBe(longVisit().affiliate_url.slice(0, 2_048));
    expect(visit.pageUrl).toBe(`https://acme.test/${LONG}`.slice(0, 2_048));
    expect(Object.values(visit).join('')).not.toContain('\ufffd');
  });

  it('for a later click', async () => {
    const clickId = await clicked(brand);
    await send(click, { body: { ...longVisit(), existing_click_id: clickId } });
    const items = await world.items(`CUSTOMER#${clickId}`);
    const { visit } = items.find(({ sk }) => String(sk).startsWith('CLICK#')) as { visit: object };
    expect(bytesOf(visit)).toBeLessThanOrEqual(8_192);
  });

  it('for a test click, whose write costs at most ten write units', async () => {
    const calls = await sentCalls(async () => {
      const { body } = await send(click, { body: { ...longVisit(), ...testMode } });
      const [event] = await world.items(`TEST_EVENT#${body.data.eventId}`);
      expect(bytesOf((event as { fields: object }).fields)).toBeLessThanOrEqual(8_192);
    });
    const put = calls.find(({ name }) => name === 'PutCommand');
    expect(put?.writeUnits).toBeLessThanOrEqual(10);
  });

  it('for a lead and a test lead, including the ad click ids that they send', async () => {
    const clickId = await clicked(brand);
    const body = {
      page_url: LONG,
      session_id: LONG,
      event_name: LONG,
      click_ids: Array.from({ length: 20 }, () => LONG),
    };
    expect((await send(lead, { key: brand.key, body: { ...body, click_id: clickId } })).status).toBe(200);
    const stored = (await world.items(`CUSTOMER#${clickId}`)).find(({ sk }) => sk === 'LEAD');
    const { pageUrl, sessionId, eventName, otherClickIds } = stored as Record<string, string>;
    expect(bytesOf({ pageUrl, sessionId, eventName, otherClickIds })).toBeLessThanOrEqual(8_192);
    const test = await send(lead, { body: { ...body, ...testMode } });
    const [event] = await world.items(`TEST_EVENT#${test.body.data.eventId}`);
    expect(bytesOf((event as { fields: object }).fields)).toBeLessThanOrEqual(8_192);
  });
});

const stored = () => ({
  affiliateUrl: `${brand.affiliateUrl}&gclid=1`,
  pageUrl: 'https://acme.test/welcome?utm_source=mail',
  referrerUrl: 'https://mail.test/inbox',
});

describe('URLs are stored without passwords, fragments and other private parts', () => {
  const secrets = 'reset=secret&email=jane%40acme.test';
  const sent = () => ({
    affiliate_url: `${brand.affiliateUrl.replace('https://', 'https://jane:secret@')}&gclid=1&${secrets}#secret`,
    page_url: `https://acme.test/welcome?${secrets}&utm_source=mail#secret`,
    referrer_url: `https://mail.test/inbox?${secrets}`,
  });
  it('for a click and a later click', async () => {
    const first = await send(click, { body: sent() });
    await send(click, { body: { ...sent(), existing_click_id: first.body.click_id } });
    const items = await world.items(`CUSTOMER#${first.body.click_id}`);
    expect(items.map(({ visit }) => visit)).toEqual([stored(), stored()]);
  });

  it('for a test click', async () => {
    const { body } = await send(click, { body: { ...sent(), ...testMode } });
    expect(await world.items(`TEST_EVENT#${body.data.eventId}`)).toMatchObject([
      { programId: brand.program.id, fields: stored() },
    ]);
  });

  it('for a lead and a test lead', async () => {
    const clickId = await clicked(brand);
    await send(lead, { key: brand.key, body: { click_id: clickId, page_url: sent().page_url } });
    const { pageUrl } = stored();
    expect(await world.items(`CUSTOMER#${clickId}`)).toContainEqual(expect.objectContaining({ sk: 'LEAD', pageUrl }));
    const { body } = await send(lead, { body: { page_url: sent().page_url, ...testMode } });
    expect(await world.items(`TEST_EVENT#${body.data.eventId}`)).toMatchObject([{ fields: { pageUrl } }]);
  });
});
