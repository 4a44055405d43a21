import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  listedReferrer,
  originIsAllowed,
  originOf,
  originPatterns,
  referrerPatternOf,
} from '#lib/service/ground/addresses/origin.ts';
import { anyText } from '#test/support/cases/any-text.ts';

describe('originOf, which reads an origin,', () => {
  it.each([
    ['https://acme.test', 'https://acme.test'],
    ['https://ACME.test:443', 'https://acme.test'],
    ['http://localhost:8787', 'http://localhost:8787'],
    ['http://[::1]:80', 'http://[::1]'],
    ['https://bücher.test', 'https://xn--bcher-kva.test'],
  ])('reads %s as %s', (text, origin) => {
    expect(originOf(text)).toBe(origin);
  });

  it.each(['', 'null', 'acme.test', 'file:///etc/passwd', 'javascript:alert(1)', 'https://', 'https://a b'])(
    'finds no origin in %j',
    (text) => {
      expect(originOf(text)).toBeUndefined();
    },
  );

  it('accepts a host of up to 253 characters', () => {
    const longest = `https://${'a.'.repeat(126)}a`;
    expect(originOf(longest)).toBe(longest);
    expect(originOf(`${longest}a`)).toBeUndefined();
    expect(originOf(`https://${'a'.repeat(1_500)}`)).toBeUndefined();
  });

  it('returns only printable ASCII characters, so that no origin can break out of a response header', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(originOf(`https://${text}`) ?? '').toMatch(/^[\u0021-\u007e]*$/);
      }),
    );
  });
});

it.each([
  ['https://acme.test', ['https://acme.test', 'https://*.test']],
  ['https://a.b.test:8443', ['https://a.b.test:8443', 'https://*.b.test:8443', 'https://*.test:8443']],
  [
    'https://a.b.c.d.e.f.test',
    [
      'https://a.b.c.d.e.f.test',
      'https://*.c.d.e.f.test',
      'https://*.d.e.f.test',
      'https://*.e.f.test',
      'https://*.f.test',
      'https://*.test',
    ],
  ],
  ['http://localhost', ['http://localhost']],
  ['http://127.0.0.1:80', ['http://127.0.0.1:80']],
  ['http://[::1]', ['http://[::1]']],
])('the patterns that would match the origin %s in a list of origins are %j', (origin, patterns) => {
  expect(originPatterns(origin)).toEqual(patterns);
});

describe('originIsAllowed, which compares an origin with a list,', () => {
  it.each([
    ['https://acme.test', 'https://acme.test'],
    ['https://www.acme.test', 'https://*.acme.test'],
    ['https://a.b.acme.test', 'https://*.acme.test'],
  ])('allows %s if %s is listed', (origin, pattern) => {
    expect(originIsAllowed(origin, [pattern])).toBe(true);
  });

  it.each([
    ['http://acme.test', 'https://acme.test'],
    ['https://acme.test:444', 'https://acme.test'],
    ['https://www.acme.test', 'https://acme.test'],
    ['https://acme.test', 'https://*.acme.test'],
    ['https://evilacme.test', 'https://*.acme.test'],
    ['https://acme.test.evil', 'https://*.acme.test'],
    ['http://localhost', 'http://127.0.0.1'],
  ])('does not allow %s if only %s is listed', (origin, pattern) => {
    expect(originIsAllowed(origin, [pattern])).toBe(false);
  });

  it('allows no origin if the list is empty', () => {
    expect(originIsAllowed('https://acme.test', [])).toBe(false);
  });
});

describe('referrerPatternOf, which reads a pattern of referrers,', () => {
  it.each([
    ['coupons.test', 'coupons.test'],
    [' Coupons.TEST ', 'coupons.test'],
    ['https://coupons.test/codes?x#y', 'coupons.test'],
    ['*.Bücher.test', '*.xn--bcher-kva.test'],
    ['192.0.2.7', '192.0.2.7'],
  ])('reads %j as %s', (text, pattern) => {
    expect(referrerPatternOf(text)).toBe(pattern);
  });

  it.each(['', '*', '*.', '*.*.a.test', 'a.*.test', 'a.test:8080', '*.a.test:8080', '*.https://a.test', '*. a.test'])(
    'finds no pattern in %j',
    (text) => {
      expect(referrerPatternOf(text)).toBeUndefined();
    },
  );
});

it.each([
  ['coupons.test', 'coupons.test'],
  ['www.coupons.test', undefined],
  ['a.deals.test', '*.deals.test'],
  ['a.b.deals.test', '*.deals.test'],
  ['deals.test', undefined],
  ['xdeals.test', undefined],
  ['other.test', undefined],
])('the entry of a list of referrers that matches the host %s is %j', (host, listed) => {
  expect(listedReferrer(host, ['coupons.test', '*.deals.test'])).toBe(listed);
});
