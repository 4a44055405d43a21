import { describe, expect, it } from 'vitest';
import {
  clickBurstOf,
  isFromOneNetwork,
  signupBurstOf,
  velocityEvidence,
} from '#lib/service/programs/terms/velocity.ts';

const bursts = {
  clickBursts: new Set([clickBurstOf('nina', '2026-11-20T15:04:00.000Z')]),
  signupBursts: new Set([signupBurstOf(7, '2026-11-20T00:00:00.000Z', 'network1')]),
};
const arrival = {
  shortLink: 'nina',
  firstClickAt: '2026-11-20T15:05:00.000Z',
  partnerId: 7,
  signupAt: '2026-11-21T00:00:00.000Z',
  traits: { network: 'network1' },
};
const ofClicks =
  'The first click came on 2026-11-20 at 15:04 UTC, when first clicks through its link came from more networks in a minute than the program expects';
const ofSignups = 'The signup came on 2026-11-20, when most signups, including this one, came from one network';

describe('the explanation why a customer matches the rule velocity (many clicks or sign-ups in a short time)', () => {
  it.each([
    [
      'is found from the first millisecond of a minute with many first clicks',
      { firstClickAt: '2026-11-20T15:04:00.000Z' },
      ofClicks,
    ],
    ['is found until the last millisecond of that minute', { firstClickAt: '2026-11-20T15:04:59.999Z' }, ofClicks],
    ['is absent for the minute before', { firstClickAt: '2026-11-20T15:03:59.999Z' }, undefined],
    ['is absent for the minute after', {}, undefined],
    [
      'is absent for the same minute of another link',
      { firstClickAt: '2026-11-20T15:04:00.000Z', shortLink: 'olaf' },
      undefined,
    ],
    [
      'is absent for a customer created by a coupon code',
      { firstClickAt: '2026-11-20T15:04:00.000Z', shortLink: undefined },
      undefined,
    ],
    [
      'is found from the first millisecond of a day with many sign-ups from one IP address',
      { signupAt: '2026-11-20T00:00:00.000Z' },
      ofSignups,
    ],
    ['is found until the last millisecond of that day', { signupAt: '2026-11-20T23:59:59.999Z' }, ofSignups],
    ['is absent for the day before', { signupAt: '2026-11-19T23:59:59.999Z' }, undefined],
    [
      'is absent for the same day of another partner',
      { signupAt: '2026-11-20T12:00:00.000Z', partnerId: 8 },
      undefined,
    ],
    [
      'is absent for another network',
      { signupAt: '2026-11-20T12:00:00.000Z', traits: { network: 'network2' } },
      undefined,
    ],
    ['is absent for an unknown network', { signupAt: '2026-11-20T12:00:00.000Z', traits: {} }, undefined],
    ['is absent for a customer without data', { signupAt: '2026-11-20T12:00:00.000Z', traits: undefined }, undefined],
    [
      'is absent for a customer without a partner',
      { signupAt: '2026-11-20T12:00:00.000Z', partnerId: undefined },
      undefined,
    ],
    ['is absent for a customer who has not signed up', { signupAt: undefined }, undefined],
    [
      'is that of the clicks if clicks and sign-ups match',
      { firstClickAt: '2026-11-20T15:04:30.000Z', signupAt: '2026-11-20T15:06:00.000Z' },
      ofClicks,
    ],
  ])('%s', (_, differing, evidence) => {
    expect(velocityEvidence({ bursts }, { ...arrival, ...differing })).toBe(evidence);
  });

  it('is absent if the partner has no minute with unusually many clicks', () => {
    expect(velocityEvidence({}, { ...arrival, firstClickAt: '2026-11-20T15:04:00.000Z' })).toBeUndefined();
  });
});

describe('the sign-ups that a partner brings in one day', () => {
  it.each([
    [6, 10],
    [10, 10],
    [6, 11],
  ])('match the rule velocity if %d of %d come from one IP address', (ofAddress, ofPartner) => {
    expect(isFromOneNetwork(ofAddress, ofPartner)).toBe(true);
  });

  it.each([
    [9, 9],
    [5, 10],
    [5, 11],
    [0, 0],
  ])('do not match the rule velocity if %d of %d come from one IP address', (ofAddress, ofPartner) => {
    expect(isFromOneNetwork(ofAddress, ofPartner)).toBe(false);
  });
});
