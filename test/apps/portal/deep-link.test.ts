import { expect, it } from 'vitest';
import { deepLink } from '#lib/apps/portal/links/deep-link.ts';

const URL_OF_LINK = 'https://acme.test/?aff=ana';
const deep = (page: string) => deepLink(URL_OF_LINK, page, 'acme.test');

it.each([
  ['https://acme.test/pricing', 'https://acme.test/pricing?aff=ana'],
  ['http://shop.acme.test/a?b=c#d', 'http://shop.acme.test/a?b=c&aff=ana#d'],
  ['acme.test/pricing', 'https://acme.test/pricing?aff=ana'],
  ['https://acme.test/?aff=ben', 'https://acme.test/?aff=ana'],
])('deepLink, for the page %s that a partner enters, returns the link %s', (page, address) =>
  expect(deep(page)).toBe(address),
);

it.each([
  'https://other.test/',
  'https://notacme.test/',
  'https://acme.test.other.test/',
  'https://acme.test@other.test/',
  'ftp://acme.test/',
  'javascript:alert(1)',
  'two words',
])('deepLink returns nothing for %s, which is not a page of the program’s site', (page) =>
  expect(deep(page)).toBeUndefined(),
);

it('deepLink accepts pages of the site to which the partner’s link leads', () => {
  expect(deepLink('https://elsewhere.test/x?aff=ana', 'https://elsewhere.test/y', 'acme.test')).toBe(
    'https://elsewhere.test/y?aff=ana',
  );
});

it('deepLink adds only `aff` from the partner’s link to the entered page’s URL, no other parameter of the link', () => {
  expect(deepLink('https://acme.test/?utm=1&aff=ana', 'https://acme.test/y', 'acme.test')).toBe(
    'https://acme.test/y?aff=ana',
  );
});
