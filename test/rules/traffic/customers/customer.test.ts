import { describe, expect, it } from 'vitest';
import {
  attributedPart,
  type Customer,
  customerMayBecome,
  customerOfSharedClick,
  givesUpKey,
  keyThatCounts,
} from '#lib/service/traffic/customers/customer.ts';

it('a customer’s status changes from click to lead to conversion and never back', () => {
  expect(customerMayBecome).toEqual({ lead: ['click'], conversion: ['click', 'lead'] });
});

it('the item that maps a customer key to a customer has the data for attribution, and no personal data', () => {
  const attributed = {
    clickId: 'clk_1',
    programId: 3,
    partnerId: 5,
    shortLink: 'ana',
    status: 'conversion',
    leadState: 'settled',
    customerKey: 'user_1',
    firstClickAt: '2026-11-18T00:00:00.000Z',
    signupAt: '2026-11-19T00:00:00.000Z',
    firstPurchaseAt: '2026-11-20T00:00:00.000Z',
  } as const;
  const customer: Customer = {
    ...attributed,
    id: 9,
    visit: { affiliateUrl: 'https://acme.test/?aff=ana', userAgent: 'browser' },
    email: { hash: 'hash', masked: 'u***@example.com' },
  };
  expect(attributedPart(customer)).toEqual(attributed);
});

const clicked: Customer = {
  id: 9,
  clickId: 'clk_1',
  programId: 3,
  partnerId: 5,
  shortLink: 'ana',
  status: 'conversion',
  customerKey: 'user_1',
  firstPayer: 'cus_1',
  firstClickAt: '2026-11-18T00:00:00.000Z',
  signupAt: '2026-11-19T00:00:00.000Z',
  firstPurchaseAt: '2026-11-20T00:00:00.000Z',
  traits: { adCampaign: 'gclid', referrer: 'blog.example', network: 'hash of a network' },
  quality: 'repeat',
  email: { hash: 'hash', masked: 'u***@example.com' },
  visit: { affiliateUrl: 'https://acme.test/?aff=ana', userAgent: 'browser' },
};

describe('customerOfSharedClick, which makes a customer for a second person who pays with one click,', () => {
  it('copies partner, link and time of the click, and no data of the first person', () => {
    const person = customerOfSharedClick(clicked, { clickId: 'cus_2', customerKey: 'user_2', payer: 'cus_2' });
    expect(person).toEqual({
      id: 9,
      clickId: 'cus_2',
      source: 'shared_click',
      sharedClick: { clickId: 'clk_1', place: 2 },
      programId: 3,
      partnerId: 5,
      shortLink: 'ana',
      status: 'click',
      customerKey: 'user_2',
      firstPayer: 'cus_2',
      firstClickAt: '2026-11-18T00:00:00.000Z',
      traits: { adCampaign: 'gclid', referrer: 'blog.example' },
      quality: 'repeat',
      visit: {},
    });
  });

  it('numbers the people who pay with the click, and stores no empty key or traits', () => {
    const person = customerOfSharedClick(
      { ...clicked, people: 4, traits: undefined },
      { clickId: 'cus_5', customerKey: '' },
    );
    expect(person.sharedClick).toEqual({ clickId: 'clk_1', place: 5 });
    expect(person.customerKey).toBeUndefined();
    expect(person.traits).toBeUndefined();
  });

  it('takes the click’s partner, even if a coupon code has since given the first person to another partner', () => {
    const moved: Customer = { ...clicked, partnerId: 8, code: 'SAVE10', formerPartnerId: 5 };
    expect(customerOfSharedClick(moved, { clickId: 'cus_2' }).partnerId).toBe(5);
  });
});

describe('a customer key that only a browser has claimed', () => {
  const claimed: Customer = { ...clicked, keyBoundBy: 'browser' };
  const named: Customer = { ...clicked, clickId: 'clk_2', customerKey: undefined };

  it('identifies the customer only if the program accepts leads from browsers', () => {
    expect(keyThatCounts(claimed, { leadAuth: 'browser_allowed' })).toBe('user_1');
    expect(keyThatCounts(claimed, { leadAuth: 'server_required' })).toBeUndefined();
    expect(keyThatCounts(clicked, { leadAuth: 'server_required' })).toBe('user_1');
  });

  it('is given to a customer for whom a server sends the key, unless that customer has a verified key', () => {
    const withClaim: Customer = { ...named, customerKey: 'user_3', keyBoundBy: 'browser' };
    const program = { leadAuth: 'server_required' } as const;
    expect(givesUpKey(claimed, named, program)).toBe(true);
    expect(givesUpKey(claimed, withClaim, program)).toBe(true);
    expect(givesUpKey(claimed, withClaim, { leadAuth: 'browser_allowed' })).toBe(false);
    expect(givesUpKey(claimed, { ...named, customerKey: 'user_3' }, program)).toBe(false);
    expect(givesUpKey(claimed, claimed, program)).toBe(false);
    expect(givesUpKey(clicked, named, program)).toBe(false);
  });
});
