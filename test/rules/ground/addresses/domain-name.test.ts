import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hostOf,
  originOf,
  originPatternOf,
  originsOfDomain,
  strippedDomain,
} from '#lib/service/ground/addresses/origin.ts';

describe('a domain name in a request', () => {
  it.each([
    ['Example.COM', 'example.com'],
    ['  https://example.com/path?q#h ', 'example.com'],
    ['http://example.com:8080/', 'example.com:8080'],
    ['example.com?x', 'example.com'],
    ['ftp://example.com', 'example.com'],
    ['', ''],
  ])('written as %j is reduced to %j', (text, stripped) => {
    expect(strippedDomain(text)).toBe(stripped);
  });

  it.each([
    ['example.com', 'example.com'],
    ['localhost:3000', 'localhost:3000'],
    ['example.com:443', 'example.com'],
    ['example.com:80', 'example.com:80'],
    ['127.0.0.1:8787', '127.0.0.1:8787'],
    ['bücher.test', 'xn--bcher-kva.test'],
    [`${'x'.repeat(63)}.test`, `${'x'.repeat(63)}.test`],
  ])('written as %s gives the host %s', (text, host) => {
    expect(hostOf(text)).toBe(host);
  });

  it.each([
    '',
    ' ',
    'a b',
    'a..b',
    '.a',
    'a.',
    '-a',
    'a-',
    'a_b',
    'u@a.test',
    'u:p@a.test',
    'a:x',
    'a:70000',
    '*',
    '*.a',
    '[::1]',
  ])('written as %j is refused', (text) => {
    expect(hostOf(text)).toBeUndefined();
  });
});

describe('an allowed origin of a program', () => {
  it.each([
    ['https://App.Example.com', 'https://app.example.com'],
    ['HTTPS://a.test:443', 'https://a.test'],
    ['http://a.test:80', 'http://a.test'],
    ['http://a.test:443', 'http://a.test:443'],
    ['https://*.Example.com', 'https://*.example.com'],
    ['http://*.localhost:3000', 'http://*.localhost:3000'],
    ['https://*.bücher.test', 'https://*.xn--bcher-kva.test'],
  ])('that is sent as %s is stored as %s', (text, pattern) => {
    expect(originPatternOf(text)).toBe(pattern);
  });

  it.each([
    '',
    'null',
    '*',
    'a.test',
    'https://',
    'https://*',
    'https://*.',
    'https://a.test/',
    'https://a.test?',
    'https://a.*.test',
    'https://*.a.b.c.d.e.test',
    'ws://a.test',
  ])('that is sent as %j is refused', (text) => {
    expect(originPatternOf(text)).toBeUndefined();
  });

  it('equals the origin that browsers send if it has no wildcard, and does not change when it is read again', () => {
    fc.assert(
      fc.property(fc.webAuthority({ withPort: true }), fc.constantFrom('http', 'https'), (authority, scheme) => {
        const pattern = originPatternOf(`${scheme}://${authority}`);
        fc.pre(pattern !== undefined);
        expect(originPatternOf(pattern)).toBe(pattern);
        expect(pattern).toBe(originOf(`${scheme}://${authority}/`));
      }),
    );
  });
});

it.each([
  ['acme.test', ['https://acme.test', 'https://*.acme.test']],
  ['acme.test:8443', ['https://acme.test:8443', 'https://*.acme.test:8443']],
  ['localhost', ['http://localhost', 'http://*.localhost']],
  ['localhost:4600', ['http://localhost:4600', 'http://*.localhost:4600']],
  ['shop.localhost:4600', ['http://shop.localhost:4600', 'http://*.shop.localhost:4600']],
  ['127.0.0.1:4600', ['http://127.0.0.1:4600']],
  ['203.0.113.7', ['https://203.0.113.7']],
  ['www.acme.test', ['https://acme.test', 'https://*.acme.test']],
  ['www.test', ['https://www.test', 'https://*.www.test']],
  ['localhost.test', ['https://localhost.test', 'https://*.localhost.test']],
  ['no host', []],
  ['', []],
])('a program with the domain %j allows the origins %j', (domain, allowed) => {
  expect(originsOfDomain(domain)).toEqual(allowed);
});
