import crawlers from 'crawler-user-agents';
import { readFileSync } from 'node:fs';
import topAgents from 'top-user-agents';
import { describe, expect, it } from 'vitest';
import { type ClickSigns, isAutomatic, qualityOf, qualityOfClick } from '#lib/service/traffic/clicks/click-quality.ts';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const PREVIEWER = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 WhatsApp';
const AD = 'https://acme.test/?aff=ana&gclid=1';

const qualityOfSigns = (signs: Partial<ClickSigns>) =>
  qualityOfClick({ userAgent: BROWSER, affiliateUrl: 'https://acme.test/?aff=ana', ...signs });

describe('the quality of a click', () => {
  it.each([
    ['a browser', {}, 'ok'],
    ['no user agent', { userAgent: undefined }, 'ok'],
    ['an empty user agent', { userAgent: '' }, 'ok'],
    ['a bot', { userAgent: GOOGLEBOT }, 'bot'],
    ['an HTTP library', { userAgent: 'axios/1.7.2' }, 'bot'],
    ['a headless browser', { userAgent: BROWSER.replace('Chrome', 'HeadlessChrome') }, 'bot'],
    ['an ignored IP address', { isIgnored: true }, 'bot'],
    ['a prefetching browser', { purpose: 'prefetch,' }, 'preview'],
    ['a prerendering browser', { purpose: 'prefetch;prerender,' }, 'preview'],
    ['a browser that shows a preview', { purpose: ',Preview' }, 'preview'],
    ['a request with another purpose', { purpose: 'navigate,' }, 'ok'],
    ['a link-preview service', { userAgent: PREVIEWER }, 'preview'],
    ['a click from an ad', { affiliateUrl: AD }, 'paid_ad'],
    ['the same visitor again', { isRepeat: true }, 'repeat'],
  ] as const)('is, for %s, %s', (_, signs, quality) => {
    expect(qualityOfSigns(signs)).toBe(quality);
  });

  it('is, if several conditions hold, the first in the order bot, preview, paid_ad, repeat', () => {
    const all = { userAgent: GOOGLEBOT, purpose: 'prefetch', affiliateUrl: AD, isRepeat: true };
    expect(qualityOfSigns(all)).toBe('bot');
    expect(qualityOfSigns({ ...all, userAgent: BROWSER })).toBe('preview');
    expect(qualityOfSigns({ ...all, userAgent: BROWSER, isIgnored: true })).toBe('bot');
    expect(qualityOfSigns({ ...all, userAgent: BROWSER, purpose: undefined })).toBe('paid_ad');
  });

  it.each([
    ['letters', 'a'],
    ['dots', '.'],
    ['version numbers', '1.'],
    ['names and versions', 'x/1.0.'],
    ['brackets', '('],
    ['spaces', ' '],
    ['parts', '; aaaa'],
    ['hyphens', '-'],
    ['a text similar to a bot’s name', 'cubots lib'],
    ['a text similar to an address', '@a-'],
  ])('is computed within 50 ms for a very long user agent that repeats %s', (_, part) => {
    for (const agent of [part.repeat(60_000), `Mozilla/5.0 (${part.repeat(60_000)}!`]) {
      const since = performance.now();
      qualityOfSigns({ userAgent: agent });
      expect(performance.now() - since).toBeLessThan(50);
    }
  });
});

const shareOfBots = (agents: readonly string[]) =>
  agents.filter((userAgent) => qualityOfSigns({ userAgent }) === 'bot').length / agents.length;

describe('the user agents in published lists of crawlers and browsers', () => {
  it('are recognised as bots if they are crawlers, in more than 99 % of cases', () => {
    const agents = crawlers.flatMap(({ instances }) => instances);
    expect(agents.length).toBeGreaterThan(2_000);
    expect(shareOfBots(agents)).toBeGreaterThan(0.99);
  });

  it('are mistaken for bots or previewers if they are browsers, in less than 0.1 % of cases', () => {
    const path = new URL('user-agents.json', import.meta.resolve('user-agents'));
    const seen: readonly { readonly userAgent: string }[] = JSON.parse(readFileSync(path, 'utf8'));
    const agents = [...seen.map(({ userAgent }) => userAgent), ...topAgents];
    expect(agents.length).toBeGreaterThan(10_000);
    const others = agents.filter((userAgent) => qualityOfSigns({ userAgent }) !== 'ok');
    expect(others.length / agents.length).toBeLessThan(0.001);
  });
});

it('a click whose quality is not stored has the quality ok', () => {
  expect(qualityOf({})).toBe('ok');
  expect(qualityOf({ quality: 'bot' })).toBe('bot');
});

it('clicks of bots and previews are automatic visits, and other clicks are not', () => {
  const automatic = (['bot', 'preview', 'repeat', 'paid_ad', undefined] as const).map((quality) =>
    isAutomatic({ quality }),
  );
  expect(automatic).toEqual([true, true, false, false, false]);
});
