import { expect, it } from 'vitest';
import { ownTerms, type Program, slugOf, termsOfSale } from '#lib/domain/program.ts';

it.each([
  ['My SaaS', 'my-saas'],
  ['  Acme -- Pro!  ', 'acme-pro'],
  ['Żółw & Söhne 2', 'żółw-söhne-2'],
  ['日本', '日本'],
  ['!!!', 'program-7'],
])('the slug of %j is %s', (name, slug) => {
  expect(slugOf(name, 7)).toBe(slug);
});

it('terms are the part of a program that a sale keeps, with the fee of the installation', () => {
  const policy = { commissionType: 'fixed', commissionRate: 50, durationMonths: 12, holdPeriodDays: 15 } as const;
  const program = { id: 1, name: 'Acme', emailSalt: 'salt', ...policy } as Program;
  const version = { version: 1, from: 'program', name: 'Acme' } as const;
  const agreed = { terms: ownTerms(program), monthlySales: 0 };
  const kept = { ...policy, version, platformFeeBps: 350 };
  expect(termsOfSale({ ...program, currency: 'JPY' }, agreed, 350)).toEqual({ ...kept, currency: 'JPY' });
  // As it was made before programs had a currency.
  expect(termsOfSale(program, agreed, 350)).toEqual({ ...kept, currency: 'USD' });
});
