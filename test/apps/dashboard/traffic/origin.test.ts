import { describe, expect, it } from 'vitest';
import { originIsAllowed, originOf } from '#lib/apps/dashboard/setup/origin.ts';
import * as service from '#lib/service/ground/addresses/origin.ts';

describe('originOf in the dashboard', () => {
  it.each([
    ['https://shop.acme.test/pricing?aff=ana#top', 'https://shop.acme.test'],
    ['http://localhost:4600/', 'http://localhost:4600'],
    ['shop.acme.test', undefined],
    ['mailto:jo@acme.test', undefined],
    ['', undefined],
  ])('reads from the URL %j the origin %j', (address, origin) => expect(originOf(address)).toBe(origin));
});

it.each([
  'https://acme.test',
  'https://www.acme.test',
  'https://a.b.acme.test',
  'https://evilacme.test',
  'http://acme.test',
  'https://acme.test:8443',
  'https://www.acme.test:8443',
  'http://localhost:4600',
  'https://acme.test.evil.test',
])('the dashboard accepts the origin %s exactly if the service does', (origin) => {
  const allowed = ['https://acme.test', 'https://*.acme.test', 'https://*.acme.test:8443', 'http://localhost:4600'];
  expect(originIsAllowed(origin, allowed)).toBe(service.originIsAllowed(origin, allowed));
});
