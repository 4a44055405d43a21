import { describe, expect, it } from 'vitest';
import { linksLeft, partnerStatusAt, termsToAccept } from '#lib/domain/partner.ts';

describe('the status as it is read', () => {
  const invitedAt = '2026-10-01T12:00:00.000Z';

  it.each([
    ['invited', '2026-10-01T12:00:00.000Z', 'invited'],
    ['invited', '2026-10-31T11:59:59.999Z', 'invited'],
    ['invited', '2026-10-31T12:00:00.000Z', 'expired'],
    ['active', '2027-10-31T12:00:00.000Z', 'active'],
    ['rejected', '2027-10-31T12:00:00.000Z', 'rejected'],
  ] as const)('%s at %s is %s', (status, now, read) => {
    expect(partnerStatusAt({ status, invitedAt }, new Date(now))).toBe(read);
  });

  it('an invitation without time does not end', () => {
    expect(partnerStatusAt({ status: 'invited' }, new Date('2027-10-31T12:00:00.000Z'))).toBe('invited');
  });
});

describe('terms to accept', () => {
  const acceptedTerms = { version: 2, at: '2026-10-01T12:00:00.000Z' };

  it('are the newest ones, unless they are accepted', () => {
    expect(termsToAccept({ partnerTermsVersion: 3 }, { acceptedTerms })).toBe(3);
    expect(termsToAccept({ partnerTermsVersion: 3 }, {})).toBe(3);
    expect(termsToAccept({ partnerTermsVersion: 2 }, { acceptedTerms })).toBeUndefined();
  });

  it('there are none where the program has none', () => {
    expect(termsToAccept({}, {})).toBeUndefined();
    expect(termsToAccept({}, { acceptedTerms })).toBeUndefined();
  });
});

describe('links left', () => {
  it('are 5 unless the program says otherwise, and never less than none', () => {
    expect(linksLeft({}, {})).toBe(5);
    expect(linksLeft({ linksPerPartner: 2 }, { ownLinks: ['a'] })).toBe(1);
    expect(linksLeft({ linksPerPartner: 0 }, { ownLinks: ['a'] })).toBe(0);
  });
});
