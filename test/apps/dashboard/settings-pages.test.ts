import { expect, it } from 'vitest';
import { pageNamedBy, sectionPath, settingsPages, settingsPath } from '#lib/apps/dashboard/settings/settings-pages.ts';

// Other systems and old links name a section by `#` alone: the API's `api_key_url`, and the return from Stripe.
it.each([
  ['', {}, 'general'],
  ['#program', {}, 'general'],
  ['#status', {}, 'general'],
  ['#brand', {}, 'brand'],
  ['#groups', {}, 'terms'],
  ['#join', {}, 'partners'],
  ['#rules', {}, 'rules'],
  ['#own-clicks', {}, 'tracking'],
  ['#api-key', {}, 'api-key'],
  ['#processor', {}, 'card-processor'],
  ['#webhooks', {}, 'api-key'],
  ['', { processor: 'connected' }, 'card-processor'],
  ['#api-key', { processor: 'error' }, 'api-key'],
  ['#nothing', {}, 'general'],
])('the address of the settings with %j and %j leads to the page %s', (fragment, query, page) => {
  expect(pageNamedBy(fragment, query)).toBe(page);
});

it('each section has an address on one page', () => {
  const sections = settingsPages.flatMap(({ name, sections: ids }) => ids.map((id) => [id, name] as const));
  expect(sections.length).toBeGreaterThan(10);
  for (const [id, name] of sections) expect(sectionPath(7, id)).toBe(`${settingsPath(7, name)}#${id}`);
});

it('the first page of the settings has the address of the settings', () => {
  expect([settingsPath(7, 'general'), settingsPath(7, 'terms')]).toEqual([
    '/programs/7/settings',
    '/programs/7/settings/terms',
  ]);
});
