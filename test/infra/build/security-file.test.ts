import { expect, it } from 'vitest';
import { securityFile } from '#infra/build/security-file.ts';

it.each([
  ['security@acme.test', 'mailto:security@acme.test'],
  ['https://acme.test/security', 'https://acme.test/security'],
])('security.txt names the contact %s, and expires a year after the month of the build', (contact, written) => {
  expect(securityFile(contact, new Date('2026-11-24T10:00:00Z'))).toEqual({
    path: '/.well-known/security.txt',
    contentType: 'text/plain; charset=utf-8',
    cacheControl: 'public, max-age=86400',
    text: `Contact: ${written}\nExpires: 2027-11-01T00:00:00.000Z\nPreferred-Languages: en\n`,
  });
});
