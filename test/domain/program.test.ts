import { expect, it } from 'vitest';
import { type Program, slugOf, termsOf } from '#lib/domain/program.ts';

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
  expect(termsOf(program, 350)).toEqual({ ...policy, platformFeeBps: 350 });
});
