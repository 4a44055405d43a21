import { describe, expect, it } from 'vitest';
import {
  checkLeadCommissions,
  ownTerms,
  type Program,
  slugOf,
  termsOfSale,
} from '#lib/service/programs/program/program.ts';
import { leadCommissionsNeedServer } from '#lib/service/ground/values/refusals.ts';
import type { Terms } from '#lib/service/programs/terms/terms.ts';

it.each([
  ['My SaaS', 'my-saas'],
  ['  Acme -- Pro!  ', 'acme-pro'],
  ['Żółw & Söhne 2', 'żółw-söhne-2'],
  ['日本', '日本'],
  ['!!!', 'program-7'],
])('the slug of a program named %j is %s', (name, slug) => {
  expect(slugOf(name, 7)).toBe(slug);
});

it('a sale stores the program’s terms at the time of the sale, its currency and the platform fee of the installation', () => {
  const policy = { commissionType: 'fixed', commissionRate: 50, durationMonths: 12, holdPeriodDays: 15 } as const;
  const program = { id: 1, name: 'Acme', emailSalt: 'salt', ...policy } as Program;
  const version = { version: 1, from: 'program', name: 'Acme' } as const;
  const agreed = { terms: ownTerms(program) };
  const kept = { ...policy, version, platformFeeBps: 350 };
  expect(termsOfSale({ ...program, currency: 'JPY' }, agreed, 350)).toEqual({ ...kept, currency: 'JPY' });
});

describe('terms with a commission for leads', () => {
  const free: Terms = { commissionType: 'percent', commissionRate: 20, holdPeriodDays: 15 };
  const paying: Terms = { ...free, leadCommissionCents: 1 };

  it('are refused for the program, groups and partners if browsers may confirm leads', () => {
    for (const terms of [[paying], [free, paying], [paying, free]])
      expect(() => checkLeadCommissions({ leadAuth: 'browser_allowed' }, terms)).toThrow(leadCommissionsNeedServer());
  });

  it('are accepted if only servers confirm leads; terms without such a commission are always accepted', () => {
    const others = [free, { ...free, leadCommissionCents: 0 }];
    expect(() => checkLeadCommissions({ leadAuth: 'server_required' }, [free, paying])).not.toThrow();
    for (const leadAuth of ['server_required', 'browser_allowed'] as const)
      expect(() => checkLeadCommissions({ leadAuth }, others)).not.toThrow();
  });
});
