import { expect, it } from 'vitest';
import { withScheme } from '#lib/apps/web/forms/with-scheme.ts';

it.each([
  ['acme.test/pricing', 'https://acme.test/pricing'],
  ['http://acme.test/', 'http://acme.test/'],
  ['ftp://acme.test/', 'ftp://acme.test/'],
  ['', ''],
])('withScheme makes %j, which a person enters, to %j', (entered, address) =>
  expect(withScheme(entered)).toBe(address),
);
