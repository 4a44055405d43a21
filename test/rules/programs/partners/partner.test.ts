import { describe, expect, it } from 'vitest';
import {
  checkLinksLeft,
  checkStep,
  linksLeft,
  mayApplyFrom,
  type Partner,
  partnerStatuses,
  partnerStatusAt,
  termsToAccept,
  hasAddress,
  hasConsented,
  isKnownByAddress,
  isNotYetPartner,
  ownStatusAt,
  restored,
  isConsentingPartner,
} from '#lib/service/programs/partners/partner.ts';

describe('the status of a partner as it is read', () => {
  const invitedAt = '2026-10-01T12:00:00.000Z';

  it.each([
    ['invited', '2026-10-01T12:00:00.000Z', 'invited'],
    ['invited', '2026-10-31T11:59:59.999Z', 'invited'],
    ['invited', '2026-10-31T12:00:00.000Z', 'expired'],
    ['active', '2027-10-31T12:00:00.000Z', 'active'],
    ['rejected', '2027-10-31T12:00:00.000Z', 'rejected'],
    ['expired', '2026-10-01T12:00:00.000Z', 'expired'],
  ] as const)('is, if stored as %s and read at %s, %s', (status, now, read) => {
    expect(partnerStatusAt({ status, invitedAt }, new Date(now))).toBe(read);
  });

  it('never changes from invited to expired if the time of the invitation is not stored', () => {
    expect(partnerStatusAt({ status: 'invited' }, new Date('2027-10-31T12:00:00.000Z'))).toBe('invited');
  });
});

describe('the version of the partner terms that a partner still has to accept', () => {
  const acceptedTerms = { version: 2, at: '2026-10-01T12:00:00.000Z' };

  it('is the newest one until the partner has accepted it', () => {
    expect(termsToAccept({ partnerTermsVersion: 3 }, { acceptedTerms })).toBe(3);
    expect(termsToAccept({ partnerTermsVersion: 3 }, {})).toBe(3);
    expect(termsToAccept({ partnerTermsVersion: 2 }, { acceptedTerms })).toBeUndefined();
  });

  it('is absent if the program has no partner terms', () => {
    expect(termsToAccept({}, {})).toBeUndefined();
    expect(termsToAccept({}, { acceptedTerms })).toBeUndefined();
  });
});

describe('the number of links that a partner may still create', () => {
  it('is 5 by default, and 0 if the limit is below the number of existing links', () => {
    expect(linksLeft({}, {})).toBe(5);
    expect(linksLeft({ linksPerPartner: 2 }, { ownLinks: ['a'] })).toBe(1);
    expect(linksLeft({ linksPerPartner: 0 }, { ownLinks: ['a'] })).toBe(0);
  });
});

const partner: Partner = {
  id: 1,
  programId: 1,
  name: 'Ben',
  email: 'ben@partners.test',
  status: 'active',
  links: [],
  createdAt: '2026-10-01T12:00:00.000Z',
};

it('the message for a partner at the link limit contains the limit', () => {
  expect(() => checkLinksLeft({}, partner)).not.toThrow();
  expect(() => checkLinksLeft({ linksPerPartner: 0 }, partner)).toThrow('You can make at most 0 links in this program');
  expect(() => checkLinksLeft({}, { ...partner, ownLinks: ['a', 'b', 'c', 'd', 'e'] })).toThrow(
    'You can make at most 5 links in this program',
  );
  expect(() => checkLinksLeft({}, { ...partner, linksMade: 200 })).toThrow(
    'You can make at most 200 links in this program',
  );
});

describe('the change of a partner’s status called', () => {
  const now = new Date('2026-11-20T15:00:00.000Z');
  const sources = {
    remove: ['active', 'removed'],
    restore: ['active', 'removed'],
    invite: ['removed', 'invited', 'rejected', 'expired'],
    withdraw: ['invited'],
    accept: ['applied'],
    reject: ['applied'],
    join: ['invited'],
    leave: ['active'],
  } as const;

  it.each(Object.entries(sources))('%s is possible only from %j', (step, from) => {
    const possible = partnerStatuses.filter((status) => {
      const stored = status === 'expired' ? 'invited' : status;
      const invitedAt = status === 'expired' ? '2026-01-01T00:00:00.000Z' : now.toISOString();
      try {
        checkStep(step as keyof typeof sources, { status: stored, invitedAt, email: 'ana@partners.test' }, now);
        return true;
      } catch {
        return false;
      }
    });
    expect(possible).toEqual(from);
  });

  it('restore is refused if the partner left by choice, and invite is refused if the partner has no e-mail address', () => {
    const left = { status: 'removed', leftAt: now.toISOString(), email: 'ana@partners.test' } as const;
    expect(() => checkStep('restore', left, now)).toThrow(
      'Partner status cannot be changed to active. Current status: removed',
    );
    expect(() => checkStep('invite', left, now)).not.toThrow();
    expect(() => checkStep('invite', { status: 'removed' }, now)).toThrow(
      'Partner status cannot be changed to invited. Current status: removed',
    );
  });
});

describe('a partner', () => {
  const now = new Date('2026-11-20T15:00:00.000Z');
  const added = { status: 'active', accountId: 7 } as Partner;
  const joined = { ...added, joinedAt: now.toISOString() };

  it('who was added by the brand and has not accepted yet sees an invitation that never expires', () => {
    expect(ownStatusAt({ ...added, invitedAt: '2026-01-01T00:00:00.000Z' }, now)).toBe('invited');
    expect(ownStatusAt(joined, now)).toBe('active');
    expect(
      [added, { ...joined, status: 'expired' } as Partner, joined].map((one) => isNotYetPartner(one, now)),
    ).toEqual([true, true, false]);
  });

  it('shows payout details to the brand only while active, and only after the person’s account has accepted', () => {
    expect(
      [added, joined, { ...joined, accountId: undefined }, { ...joined, status: 'removed' } as Partner].map(
        isConsentingPartner,
      ),
    ).toEqual([false, true, false, false]);
  });

  it('is shown to the brand by e-mail address alone, until the partner applies, accepts or is restored', () => {
    const application = { appliedAt: now.toISOString() };
    const restoredOne = { ...added, restoredAt: now.toISOString() };
    const all = [added, joined, { ...added, application }, restoredOne, { ...restoredOne, application }];
    expect(all.map(isKnownByAddress)).toEqual([true, false, false, false, false]);
    expect(all.map(hasConsented)).toEqual([false, true, true, false, false]);
  });

  it('who is restored after a removal has to accept the partnership and the terms again if both were accepted before', () => {
    const acceptedTerms = { version: 1, at: now.toISOString() };
    const removed = { ...joined, status: 'removed', acceptedTerms } as Partner;
    const back = { ...added, joinedAt: undefined, acceptedTerms: undefined, restoredAt: now.toISOString() };
    expect(restored(removed, now)).toEqual(back);
    expect(restored({ ...back, status: 'removed' }, now)).toEqual(back);
    expect(restored({ ...added, status: 'removed' }, now)).toEqual(added);
    expect(restored(joined, now)).toBe(joined);
  });

  it('without an e-mail address gets no mail', () => {
    expect([added, { ...added, email: 'ana@partners.test' }].map(hasAddress)).toEqual([false, true]);
  });
});

it('a rejected applicant may apply again 30 days after the rejection; a person who was not rejected may apply at once', () => {
  expect(mayApplyFrom({ rejectedAt: '2026-11-20T15:00:00.000Z' })).toEqual(new Date('2026-12-20T15:00:00.000Z'));
  expect(mayApplyFrom({})).toBeUndefined();
});
