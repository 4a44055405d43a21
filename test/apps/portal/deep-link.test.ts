import { expect, it } from 'vitest';
import { deepLink } from '#lib/apps/portal/links/deep-link.ts';

const URL_OF_LINK = 'https://acme.test/?aff=ana';
const deep = (page: string) => deepLink(URL_OF_LINK, page, 'acme.test');

it.each([
  ['https://acme.test/pricing', 'https://acme.test/pricing?aff=ana'],
  ['http://shop.acme.test/a?b=c#d', 'http://shop.acme.test/a?b=c&aff=ana#d'],
  ['acme.test/pricing', 'https://acme.test/pricing?aff=ana'],
  ['https://acme.test/?aff=ben', 'https://acme.test/?aff=ana'],
])('the page %s becomes the partner’s link %s', (page, address) => expect(deep(page)).toBe(address));

it.each([
  'https://other.test/',
  'https://notacme.test/',
  'https://acme.test.other.test/',
  'https://acme.test@other.test/',
  'ftp://acme.test/',
  'javascript:alert(1)',
  'two words',
])('the page %s is refused as a page of the program’s site', (page) => expect(deep(page)).toBeUndefined());

it('pages at the origin of the link’s destination are accepted for a partner’s link', () => {
  expect(deepLink('https://elsewhere.test/x?aff=ana', 'https://elsewhere.test/y', 'acme.test')).toBe(
    'https://elsewhere.test/y?aff=ana',
  );
});

it('other parts of a partner’s link stay unchanged', () => {
  expect(deepLink('https://acme.test/?utm=1&aff=ana', 'https://acme.test/y', 'acme.test')).toBe(
    'https://acme.test/y?aff=ana',
  );
});
