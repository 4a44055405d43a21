import { describe, expect, it } from 'vitest';
import { newManualCommission } from '#lib/service/earnings/commissions/commission-without-sale.ts';
import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import {
  type CustomerTraits,
  type RuleName,
  ruleNames,
  type TrafficSettings,
} from '#lib/service/programs/terms/rules.ts';
import {
  type RuleFacts,
  rulesThatFit,
  verdictOf,
  verdictOn,
  withVerdict,
} from '#lib/service/earnings/commissions/rules-that-fit.ts';
import { clickBurstOf } from '#lib/service/programs/terms/velocity.ts';

const NOW = new Date('2026-11-23T12:00:00.000Z');

const customer = (traits?: CustomerTraits, more: Partial<AttributedCustomer> = {}): AttributedCustomer => ({
  clickId: 'clk_1',
  programId: 1,
  partnerId: 5,
  shortLink: 'abc',
  status: 'lead',
  firstClickAt: '2026-11-23T10:15:30.000Z',
  traits,
  ...more,
});

const byCode = { code: 'SAVE', shortLink: 'abc', formerPartnerId: 4 } as const;
const sameAddress: CustomerTraits = { compared: { partnerId: 5, address: true } };
const burst: RuleFacts = {
  bursts: {
    clickBursts: new Set([clickBurstOf('abc', '2026-11-23T10:15:00.000Z')]),
  },
};

describe('rulesThatFit, which finds the fraud rules that a customer matches,', () => {
  const banned: TrafficSettings = { bannedReferrers: ['coupons.example', '*.deals.example'] };
  it.each<[string, TrafficSettings, AttributedCustomer, RuleFacts, readonly RuleName[]]>([
    ['no data', {}, customer(), {}, []],
    ['the partner’s own e-mail address', {}, customer(sameAddress), {}, ['self_referral']],
    [
      'the partner’s own e-mail address and domain',
      {},
      customer({ compared: { partnerId: 5, address: true, domain: true } }),
      {},
      ['self_referral', 'same_domain'],
    ],
    ['the partner’s own domain', {}, customer({ compared: { partnerId: 5, domain: true } }), {}, ['same_domain']],
    ['nothing in common', {}, customer({ compared: { partnerId: 5 } }), {}, []],
    [
      'a comparison with another partner',
      {},
      customer({ compared: { partnerId: 4, address: true, domain: true } }),
      {},
      [],
    ],
    ['a disposable e-mail address', {}, customer(), { isDisposable: true }, ['disposable_email']],
    ['another e-mail address', {}, customer(), { isDisposable: false }, []],
    ['an ad without a campaign', {}, customer({ adCampaign: '' }), {}, ['paid_ad']],
    [
      'a campaign that is not allowed',
      { paidAdAllowedCampaigns: ['spring'] },
      customer({ adCampaign: 'Spring' }),
      {},
      ['paid_ad'],
    ],
    ['an allowed campaign', { paidAdAllowedCampaigns: ['spring'] }, customer({ adCampaign: 'spring' }), {}, []],
    ['an ad, then a coupon code', {}, customer({ adCampaign: '' }, byCode), {}, []],
    ['a banned referrer', banned, customer({ referrer: 'coupons.example' }), {}, ['banned_referrer']],
    ['a subdomain of a banned referrer', banned, customer({ referrer: 'www.coupons.example' }), {}, []],
    ['a subdomain of a banned domain', banned, customer({ referrer: 'a.b.deals.example' }), {}, ['banned_referrer']],
    ['a banned domain itself', banned, customer({ referrer: 'deals.example' }), {}, []],
    ['a banned referrer, then a coupon code', banned, customer({ referrer: 'coupons.example' }, byCode), {}, []],
    ['a burst of clicks', {}, customer(), burst, ['velocity']],
    ['a burst of clicks, then a coupon code', {}, customer({}, byCode), burst, []],
    ['a coupon code and no click', {}, customer({}, { code: 'SAVE', shortLink: undefined }), burst, []],
  ])('finds exactly the matching rules for a customer with %s', (_, program, who, facts, expected) => {
    expect([...rulesThatFit(program, who, facts).keys()]).toEqual(expected);
  });

  it('gives a reason for each rule, without personal data', () => {
    const who = customer({
      compared: { partnerId: 5, address: true, domain: true },
      adCampaign: 'spring',
      referrer: 'coupons.example',
      mailDomain: 'mailbox.example',
    });
    expect(Object.fromEntries(rulesThatFit(banned, who, { ...burst, isDisposable: true }))).toEqual({
      self_referral: "The customer's address is the partner's own",
      same_domain: "The customer's address and the partner's have the same domain",
      disposable_email: "The customer's address is of a provider of disposable addresses",
      paid_ad: 'The first click came through an advertisement of a campaign that the program does not allow',
      banned_referrer: 'The first click came from a banned site (coupons.example)',
      velocity:
        'The first click came on 2026-11-23 at 10:15 UTC, when first clicks through its link came from more networks in a minute than the program expects',
    });
  });
});

describe('the decision whether a commission is flagged or held for review, by the rules that its customer matches,', () => {
  const [self, paid] = [
    { rule: 'self_referral', at: NOW.toISOString(), evidence: "The customer's address is the partner's own" },
    {
      rule: 'paid_ad',
      at: NOW.toISOString(),
      evidence: 'The first click came through an advertisement that names no campaign',
    },
  ];
  const both: CustomerTraits = { ...sameAddress, adCampaign: '' };
  it.each<[string, TrafficSettings, CustomerTraits | undefined, object]>([
    ['is neither for a customer without data', {}, undefined, { flags: [], isHeld: false }],
    [
      'flags the commission for a matching rule that the program has not set',
      {},
      both,
      { flags: [self], isHeld: false },
    ],
    ['ignores rules that are off', { rules: { self_referral: 'off' } }, both, { flags: [], isHeld: false }],
    [
      'holds the commission if one matching rule is set to hold',
      { rules: { paid_ad: 'hold' } },
      both,
      { flags: [self, paid], isHeld: true },
    ],
    [
      'does not hold the commission if a rule that is set to hold does not match',
      { rules: { same_domain: 'hold' } },
      both,
      { flags: [self], isHeld: false },
    ],
    [
      'ignores rules for which a person has released the customer',
      { rules: { paid_ad: 'hold' } },
      { ...both, released: ['paid_ad'] },
      { flags: [self], isHeld: false },
    ],
    [
      'holds the commission by another rule than the released one',
      { rules: { paid_ad: 'hold' } },
      { ...both, released: ['self_referral'] },
      { flags: [paid], isHeld: true },
    ],
  ])('%s', (_, program, traits, expected) => {
    expect(verdictOn(program, customer(traits), {}, NOW)).toEqual(expected);
  });

  it('flags the commission, holds it or does nothing for each rule, as the program’s setting says', () => {
    const who = customer({
      compared: { partnerId: 5, address: true, domain: true },
      adCampaign: 'x',
      referrer: 'coupons.example',
    });
    const program: TrafficSettings = { bannedReferrers: ['coupons.example'] };
    const off = Object.fromEntries(ruleNames.map((rule) => [rule, 'off']));
    for (const rule of ruleNames) {
      for (const action of ['flag', 'hold', 'off'] as const) {
        const { flags, isHeld } = verdictOn(
          { ...program, rules: { ...off, [rule]: action } },
          who,
          { ...burst, isDisposable: true, isByAddressAlone: true },
          NOW,
        );
        expect([flags.map((flag) => flag.rule), isHeld]).toEqual([action === 'off' ? [] : [rule], action === 'hold']);
      }
    }
  });

  it.each([
    [2, 5, 'flag'],
    [5, 5, 'flag'],
    [6, 5, 'hold'],
    [2, 1, 'hold'],
  ])(
    'is, for payer number %i of one click, if the program’s limit is %i payers per click: %s',
    (place, sharedClickPayers, action) => {
      const sharer = { ...customer({}), sharedClick: { clickId: 'clk_shared', place } };
      const { flags, isHeld } = verdictOn({ sharedClickPayers }, sharer, {}, NOW);
      expect([flags.map(({ rule }) => rule), isHeld]).toEqual([['shared_click'], action === 'hold']);
      const released = { ...sharer, traits: { released: ['shared_click'] as const } };
      expect(verdictOn({ sharedClickPayers }, released, {}, NOW)).toEqual({ flags: [], isHeld: false });
    },
  );

  it.each([
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [11, '11th'],
    [21, '21st'],
    [112, '112th'],
  ])('names payer number %i of one click the %s person in the flag’s evidence', (place, text) => {
    const sharer = { ...customer({}), sharedClick: { clickId: 'clk_shared', place } };
    expect(verdictOn({}, sharer, {}, NOW).flags).toMatchObject([
      { evidence: `The customer is the ${text} person who paid with this click id` },
    ]);
  });

  it('is stored with the commission, and can be read from it again', () => {
    const commission = newManualCommission(
      { id: 7, programId: 1, partnerId: 5 },
      { amountCents: 100, currency: 'USD', reason: 'bonus' },
      'operator',
      NOW,
    );
    expect(withVerdict(commission, { flags: [], isHeld: false })).toBe(commission);
    const flagged = verdictOn({}, customer(sameAddress), {}, NOW);
    expect(withVerdict(commission, flagged)).toEqual({ ...commission, flags: flagged.flags });
    expect(verdictOf(withVerdict(commission, flagged))).toEqual(flagged);
    const holding = { ...flagged, isHeld: true };
    const held = withVerdict(commission, holding);
    expect(held).toEqual({
      ...commission,
      flags: flagged.flags,
      status: 'held',
      heldAt: NOW.toISOString(),
      history: [{ ...commission.history[0], to: 'held' }],
    });
    expect(verdictOf(held)).toEqual(holding);
    expect(verdictOf(commission)).toEqual({ flags: [], isHeld: false });
  });
});
