import { describe, expect, it } from 'vitest';
import {
  affValueOf,
  destinationOf,
  isShortLink,
  linkIsOpen,
  type ReferralLink,
} from '#lib/service/programs/links/referral-link.ts';

describe('affValueOf, which reads the link’s name in a URL,', () => {
  it.each([
    ['https://acme.test/?aff=ana', 'ana'],
    ['http://acme.test/p?x=1&aff=ana#aff=ben', 'ana'],
    ['https://acme.test/?aff=ana&aff=ben', 'ana'],
    ['https://acme.test/?aff=%61na', 'ana'],
    ['https://acme.test/?AFF=ben&aff=Ana', 'Ana'],
    ['  https://acme.test/?aff=ana  ', 'ana'],
  ])('reads %j as %s', (url, aff) => {
    expect(affValueOf(url)).toBe(aff);
  });

  it.each([
    [undefined, 'affiliate_url is required'],
    ['', 'affiliate_url is required'],
    ['  ', 'affiliate_url is required'],
    ['not a url', 'Invalid affiliate_url'],
    ['/p?aff=ana', 'Invalid affiliate_url'],
    ['//acme.test/?aff=ana', 'Invalid affiliate_url'],
    ['javascript:alert(1)?aff=ana', 'Invalid affiliate_url'],
    ['data:text/html,?aff=ana', 'Invalid affiliate_url'],
    ['ftp://acme.test/?aff=ana', 'Invalid affiliate_url'],
    [42, 'Invalid affiliate_url'],
    [['https://acme.test/?aff=ana'], 'Invalid affiliate_url'],
    [{}, 'Invalid affiliate_url'],
    ['https://acme.test/', 'No aff parameter found in affiliate_url'],
    ['https://acme.test/?aff=', 'No aff parameter found in affiliate_url'],
    ['https://acme.test/?aff=&aff=ana', 'No aff parameter found in affiliate_url'],
    ['https://acme.test/?AFF=ana', 'No aff parameter found in affiliate_url'],
    ['https://acme.test/#?aff=ana', 'No aff parameter found in affiliate_url'],
  ])('refuses %j: %s', (url, message) => {
    expect(() => affValueOf(url)).toThrow(message);
  });
});

it.each([
  ['ana', true],
  ['A-b_9', true],
  ['x'.repeat(64), true],
  ['ab', false],
  ['x'.repeat(65), false],
  ['a b', false],
  ['ána', false],
  ['ana\n', false],
  ['a#b', false],
])('%j is a valid name of a link: %s', (text, may) => {
  expect(isShortLink(text)).toBe(may);
});

it.each([
  [{ status: 'active' }, true],
  [{ status: 'active', partnerRemoved: false }, true],
  [{ status: 'inactive' }, false],
  [{ status: 'active', partnerRemoved: true }, false],
] as const)('a link with %j accepts clicks: %s', (state, isOpen) => {
  const link: ReferralLink = { shortLink: 'ana', destinationUrl: 'https://acme.test/', createdAt: '', ...state };
  expect(linkIsOpen(link)).toBe(isOpen);
});

it.each([
  ['https://acme.test', 'https://acme.test/'],
  ['HTTP://ACME.test:80/p?x=1#y', 'http://acme.test/p?x=1#y'],
  ['https://no host/', undefined],
  ['acme.test', undefined],
  ['ftp://acme.test', undefined],
  [`https://acme.test/${'x'.repeat(2030)}`, `https://acme.test/${'x'.repeat(2030)}`],
  [`https://acme.test/${'x'.repeat(2031)}`, undefined],
])('the destination %j of a link is stored as %s', (text, destination) => {
  expect(destinationOf(text)).toBe(destination);
});
