import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Customer, customerOfSharedClick } from '#lib/service/traffic/customers/customer.ts';
import type { Payer } from '#lib/service/conversions/processors/processor-event.ts';
import {
  customerOfPayment,
  customerOfSale,
  type CustomersOfPayment,
  isByAnother,
} from '#lib/service/conversions/attribution/resolution.ts';

const customer = (clickId: string, more: Partial<Customer> = {}): Customer => ({
  id: 1,
  clickId,
  programId: 1,
  partnerId: 5,
  shortLink: 'ana',
  status: 'click',
  firstClickAt: '2026-11-20T15:00:00.000Z',
  visit: {},
  ...more,
});
const server = { leadAuth: 'server_required' } as const;
const browser = { leadAuth: 'browser_allowed' } as const;
const bought = { status: 'conversion' } as const;
const claimed = { customerKey: 'k', keyBoundBy: 'browser' } as const;
const mail = (one: Customer, isClaimed?: true) => ({ customer: one, masked: 'j***@c.test', isClaimed });

/** The customer found by a payment's identifiers, in short. */
function outcomeOf(resolution: ReturnType<typeof customerOfPayment> | ReturnType<typeof customerOfSale>): string {
  if (!resolution) return 'nobody';
  if (isByAnother(resolution)) return `another with ${resolution.clicked.clickId}`;
  const { customer: found, resolvedBy, isByAddressAlone, isClaimed, overruled } = resolution;
  return [
    `${found.clickId} by ${resolvedBy}`,
    ...(isByAddressAlone ? ['alone'] : []),
    ...(isClaimed ? ['claimed'] : []),
    ...(overruled ? [`overruled ${overruled.partnerId} by ${overruled.by}`] : []),
  ].join(', ');
}

describe('the customer of a Stripe payment', () => {
  const all: Payer = { clickId: 'c', processorCustomerId: 'p', customerKey: 'k' };
  const noClick: Payer = { processorCustomerId: 'p', customerKey: 'k' };
  const c = customer('c');
  const p = customer('p');
  const k = customer('k', { customerKey: 'k' });
  const e = customer('e', { partnerId: 6 });

  it.each<[string, CustomersOfPayment, Payer, string]>([
    ['is not found without any match', {}, all, 'nobody'],
    ['is the click’s customer first', { clicked: c, ofPayer: p, keyed: k, addressed: mail(e) }, all, 'c by click_id'],
    [
      'is the click’s customer even if the payer has bought',
      { clicked: c, ofPayer: { ...p, ...bought } },
      all,
      'c by click_id',
    ],
    [
      'is the e-mail address’s customer next, with the overruled match recorded',
      { ofPayer: p, keyed: k, addressed: mail(e) },
      noClick,
      'e by email, alone, overruled 5 by processor_customer',
    ],
    [
      'is not matched by e-mail address alone if the e-mail address’s customer owns the checkout URL’s click, paid by another payer',
      { clicked: { ...c, ...bought, firstPayer: 'other' }, addressed: mail({ ...c, ...bought }) },
      { ...noClick, clickId: 'c', isClickReferred: true },
      'c by email',
    ],
    [
      'is the e-mail address’s customer before the key’s, with the overruled match recorded',
      { keyed: k, addressed: mail(e) },
      noClick,
      'e by email, alone, overruled 5 by customer_key',
    ],
    [
      'is the e-mail address’s customer before that of a click in the checkout URL',
      { clicked: c, addressed: mail(e) },
      { ...noClick, clickId: 'c', isClickReferred: true },
      'e by email, alone, overruled 5 by click_id',
    ],
    [
      'is found without an overruled key if the key has the same partner',
      { keyed: customer('k', { customerKey: 'k', partnerId: 6 }), addressed: mail(e) },
      noClick,
      'e by email, alone',
    ],
    [
      'stays the payer linked by e-mail address alone, with the overruled key recorded',
      { ofPayer: { ...e, ...bought }, isPayerByAddress: true, keyed: k },
      noClick,
      'e by processor_customer, alone, overruled 5 by customer_key',
    ],
    [
      'is the click’s customer before a payer linked by e-mail address alone',
      { clicked: c, ofPayer: { ...e, ...bought }, isPayerByAddress: true },
      all,
      'c by click_id',
    ],
    [
      'is the known payer without click and e-mail address',
      { ofPayer: p, keyed: k },
      noClick,
      'p by processor_customer',
    ],
    ['is the key’s customer without a known payer', { keyed: k }, noClick, 'k by customer_key'],
    [
      'is still matched by e-mail address alone for a payer linked by e-mail address',
      { ofPayer: { ...p, ...bought }, isPayerByAddress: true },
      noClick,
      'p by processor_customer, alone',
    ],
    [
      'is not confirmed by a payer linked by e-mail address alone',
      { ofPayer: e, isPayerByAddress: true, addressed: mail(e) },
      noClick,
      'e by email, alone',
    ],
    [
      'is confirmed if the key names the same customer',
      { ofPayer: { ...k, ...bought }, isPayerByAddress: true, keyed: { ...k, ...bought } },
      noClick,
      'k by processor_customer',
    ],
    [
      'is not confirmed by a key that only a browser claimed',
      { ofPayer: { ...k, ...bought }, isPayerByAddress: true, keyed: { ...k, ...claimed, ...bought } },
      noClick,
      'k by processor_customer, alone',
    ],
    [
      'is the key’s customer who has bought, before a payer linked by e-mail address',
      { ofPayer: { ...p, ...bought }, isPayerByAddress: true, keyed: { ...k, ...bought } },
      noClick,
      'k by customer_key',
    ],
    [
      'is confirmed by a click in the checkout URL',
      { ofPayer: { ...c, ...bought }, isPayerByAddress: true, clicked: { ...c, ...bought } },
      { ...noClick, clickId: 'c', isClickReferred: true },
      'c by processor_customer',
    ],
    [
      'is not confirmed by a click in the checkout URL that another payer uses',
      { ofPayer: { ...p, ...bought }, isPayerByAddress: true, clicked: { ...c, ...bought, firstPayer: 'first' } },
      { ...noClick, clickId: 'c', isClickReferred: true },
      'p by processor_customer, alone',
    ],
    ['is the click’s customer for the first guest', { clicked: c }, { clickId: 'c', guest: 'g' }, 'c by click_id'],
    [
      'is the click’s customer for the same guest later',
      { clicked: { ...c, firstGuest: 'g' } },
      { clickId: 'c', guest: 'g' },
      'c by click_id',
    ],
    [
      'is the click’s customer for a guest with the lead’s e-mail address',
      { clicked: { ...c, firstGuest: 'first', email: { hash: 'g', masked: 'g***@c.test' } } },
      { clickId: 'c', guest: 'g' },
      'c by click_id',
    ],
    [
      'is the click’s customer for a guest without an e-mail address',
      { clicked: { ...c, firstGuest: 'g' } },
      { clickId: 'c' },
      'c by click_id',
    ],
    [
      'is a new customer for a second guest',
      { clicked: { ...c, firstGuest: 'first' } },
      { clickId: 'c', guest: 'g' },
      'another with c',
    ],
    [
      'is a new customer for a guest after a known payer',
      { clicked: { ...c, firstPayer: 'p' } },
      { clickId: 'c', guest: 'g' },
      'another with c',
    ],
    [
      'is the same new customer when the second guest returns',
      { clicked: { ...c, firstGuest: 'first' }, ofGuest: customer('g', { sharedClick: { clickId: 'c', place: 2 } }) },
      { clickId: 'c', guest: 'g' },
      'g by click_id',
    ],
    [
      'is a payer who has bought, before the e-mail address’s customer',
      { ofPayer: { ...p, ...bought }, addressed: mail(e) },
      noClick,
      'p by processor_customer, overruled 6 by email',
    ],
    [
      'is the key’s customer who has bought, before the e-mail address’s customer',
      { ofPayer: p, keyed: { ...k, ...bought }, addressed: mail(e) },
      noClick,
      'k by customer_key, overruled 6 by email',
    ],
    [
      'is found without an overruled e-mail address if the e-mail address has the same partner',
      { ofPayer: { ...p, ...bought }, addressed: mail(customer('e')) },
      noClick,
      'p by processor_customer',
    ],
    [
      'is not the customer of a key claimed only by a browser if an e-mail address matches',
      { keyed: { ...k, ...claimed, ...bought }, addressed: mail(e) },
      noClick,
      'e by email, alone',
    ],
    [
      'is marked as claimed for a key claimed only by a browser',
      { keyed: { ...k, ...claimed } },
      noClick,
      'k by customer_key, claimed',
    ],
    [
      'is marked as claimed for an e-mail address claimed only by a browser',
      { addressed: mail(e, true) },
      noClick,
      'e by email, alone, claimed',
    ],
    [
      'is not matched by e-mail address alone if the payer belongs to the same customer',
      { ofPayer: e, addressed: mail(e) },
      noClick,
      'e by email',
    ],
    [
      'is not matched by e-mail address alone if the key names the same customer',
      { keyed: e, addressed: mail(e) },
      noClick,
      'e by email',
    ],
    [
      'is not matched by e-mail address alone if a click in the checkout URL names the same customer',
      { clicked: e, addressed: mail(e) },
      { clickId: 'e', isClickReferred: true },
      'e by email',
    ],
    [
      'is the key’s customer before that of a click in the checkout URL',
      { clicked: c, keyed: k },
      { ...all, isClickReferred: true },
      'k by customer_key',
    ],
    [
      'is the customer of a click in the checkout URL without any other match',
      { clicked: c },
      { ...all, isClickReferred: true },
      'c by click_id',
    ],
  ])('%s', (_, found, payer, outcome) => {
    expect(outcomeOf(customerOfPayment(found, payer, browser))).toBe(outcome);
  });

  const paid = customer('c', { firstPayer: 'p1', ...bought });
  const sharer = customer('s', { sharedClick: { clickId: 'c', place: 2 }, ...bought });
  it.each<[string, CustomersOfPayment, Payer, string]>([
    [
      'belongs to its customer for the first payer',
      { clicked: paid },
      { clickId: 'c', processorCustomerId: 'p1' },
      'c by click_id',
    ],
    [
      'belongs to its customer for a payer linked later',
      { clicked: paid, ofPayer: paid },
      { clickId: 'c', processorCustomerId: 'p2' },
      'c by click_id',
    ],
    [
      'belongs to its customer for the customer’s key and any payer',
      { clicked: { ...paid, customerKey: 'k' } },
      { clickId: 'c', processorCustomerId: 'p2', customerKey: 'k' },
      'c by click_id',
    ],
    ['belongs to its customer for a payment without identifiers', { clicked: paid }, { clickId: 'c' }, 'c by click_id'],
    [
      'gives another payer a new customer',
      { clicked: paid },
      { clickId: 'c', processorCustomerId: 'p2' },
      'another with c',
    ],
    [
      'gives another key a new customer',
      { clicked: customer('c', { customerKey: 'k1' }) },
      { clickId: 'c', processorCustomerId: 'p2', customerKey: 'k2' },
      'another with c',
    ],
    [
      'gives way to a payer who shares it',
      { clicked: customer('c', { customerKey: 'k1' }), ofPayer: sharer },
      { clickId: 'c', processorCustomerId: 'p2' },
      's by processor_customer',
    ],
    [
      'gives way to the e-mail address’s customer for another payer',
      { clicked: paid, addressed: mail(e) },
      { clickId: 'c', processorCustomerId: 'p2' },
      'e by email, alone',
    ],
    [
      'created by a payment matches no other payer',
      { clicked: { ...paid, source: 'code' } },
      { clickId: 'c', processorCustomerId: 'p2' },
      'nobody',
    ],
    [
      'without a partner, of a customer found by code, matches no other payer',
      { clicked: { ...paid, code: 'SAVE10' } },
      { clickId: 'c', processorCustomerId: 'p2' },
      'nobody',
    ],
    [
      'always belongs to its customer without a partner',
      { clicked: { ...paid, partnerId: undefined } },
      { clickId: 'c', processorCustomerId: 'p2' },
      'c by click_id',
    ],
    [
      'always belongs to its customer in a verification chain',
      { clicked: { ...paid, isTest: true } },
      { clickId: 'c', processorCustomerId: 'p2' },
      'c by click_id',
    ],
  ])('is the customer of the payment’s click, or is found otherwise: the click %s', (_, found, payer, outcome) => {
    expect(outcomeOf(customerOfPayment(found, payer, server))).toBe(outcome);
  });

  const anyCustomer = fc
    .record({
      clickId: fc.constantFrom('a', 'b', 'c'),
      partnerId: fc.constantFrom(5, 6),
      status: fc.constantFrom('click', 'lead', 'conversion'),
      firstPayer: fc.constantFrom('p', 'other', undefined),
      customerKey: fc.constantFrom('k', 'other', undefined),
    })
    .map(({ clickId, ...more }) => customer(clickId, more));
  const maybe = fc.option(anyCustomer, { nil: undefined });

  it('is not looked up by e-mail address if the payer or the customer key already has a purchase', () => {
    fc.assert(
      fc.property(maybe, maybe, anyCustomer, (ofPayer, keyed, other) => {
        const found = { ofPayer, keyed, addressed: mail(other) };
        const resolution = customerOfPayment(found, noClick, server);
        const hasBought = [ofPayer, keyed].some((one) => one?.status === 'conversion');
        expect(outcomeOf(resolution).includes('by email,') || outcomeOf(resolution).endsWith('by email')).toBe(
          !hasBought || outcomeOf(resolution).includes('overruled'),
        );
      }),
    );
  });

  it('is always found if any identifier matches a customer', () => {
    fc.assert(
      fc.property(maybe, maybe, maybe, maybe, (clicked, ofPayer, keyed, other) => {
        const found = { clicked, ofPayer, keyed, addressed: other && mail(other) };
        const isUnresolved = customerOfPayment(found, all, server) === undefined;
        expect(isUnresolved).toBe(Object.values(found).every((one) => one === undefined));
      }),
    );
  });
});

describe('the customer to whom customerOfSale attributes a sale sent by the brand’s server', () => {
  const c = customer('c');
  const k = customer('k', { customerKey: 'k' });
  const named = { clickId: 'c', customerKey: 'k' };

  it.each<[string, Parameters<typeof customerOfSale>[0], Parameters<typeof customerOfSale>[1], string, string]>([
    ['unknown', {}, {}, 'nobody', 'nobody'],
    ['the key’s customer', { keyed: k, clicked: c }, named, 'k by customer_key', 'k by customer_key'],
    ['the click’s customer', { clicked: c }, named, 'c by click_id', 'c by click_id'],
    [
      'the claimed key’s customer in browser mode',
      { keyed: { ...k, ...claimed } },
      { customerKey: 'k' },
      'nobody',
      'k by customer_key',
    ],
    [
      'the click’s customer before that of a claimed key',
      { keyed: { ...k, ...claimed }, clicked: c },
      named,
      'c by click_id',
      'c by click_id',
    ],
    [
      'the customer of a claimed key confirmed by its own click',
      { keyed: { ...c, ...claimed }, clicked: { ...c, ...claimed } },
      named,
      'c by click_id',
      'c by customer_key',
    ],
    [
      'the claimed key’s customer in browser mode if the click’s provisional lead may claim a key',
      { keyed: { ...k, ...claimed }, clicked: { ...c, leadState: 'provisional' } },
      named,
      'c by click_id',
      'k by customer_key',
    ],
    [
      'a new customer if the click’s customer has another key',
      { clicked: { ...c, customerKey: 'k1' } },
      named,
      'another with c',
      'another with c',
    ],
    [
      'a new customer if a provisional lead kept another key unbound',
      { clicked: { ...c, unboundKey: 'k1' } },
      named,
      'another with c',
      'another with c',
    ],
    [
      'the click’s customer if the unbound key is the same',
      { clicked: { ...c, unboundKey: 'k' } },
      named,
      'c by click_id',
      'c by click_id',
    ],
    [
      'the click’s customer if its own key is only claimed, except in browser mode',
      { clicked: { ...c, ...claimed, customerKey: 'k1' } },
      named,
      'c by click_id',
      'another with c',
    ],
  ])('is %s', (_, found, who, demandsServer, allowsBrowser) => {
    expect(outcomeOf(customerOfSale(found, who, server))).toBe(demandsServer);
    expect(outcomeOf(customerOfSale(found, who, browser))).toBe(allowsBrowser);
  });
});

describe('a new customer who pays with the click of another customer', () => {
  it('is attributed to the click’s current partner, and gets no data of the other customer', () => {
    const shared = customer('c', {
      customerKey: 'k',
      firstPayer: 'p',
      email: { hash: 'h', masked: 'j***@c.test' },
      signupAt: '2026-11-20T15:00:00.000Z',
      leadState: 'settled',
      ...bought,
      quality: 'repeat',
      people: 3,
      visit: { affiliateUrl: 'https://acme.test/?aff=ana' },
      traits: { adCampaign: 'x', referrer: 'r.test', mailDomain: 'c.test', released: ['velocity'] },
    });
    expect(customerOfSharedClick(shared, { clickId: 'n', customerKey: 'k2', payer: 'p2' })).toEqual({
      id: 1,
      clickId: 'n',
      source: 'shared_click',
      sharedClick: { clickId: 'c', place: 4 },
      programId: 1,
      partnerId: 5,
      shortLink: 'ana',
      status: 'click',
      customerKey: 'k2',
      firstPayer: 'p2',
      firstClickAt: shared.firstClickAt,
      quality: 'repeat',
      traits: { adCampaign: 'x', referrer: 'r.test' },
      visit: {},
    });
  });

  it('gets the partner of the click, even if a coupon code has since given the other customer to another partner', () => {
    const moved = customer('c', { code: 'SAVE10', partnerId: 6, formerPartnerId: 5 });
    const { partnerId, sharedClick, customerKey } = customerOfSharedClick(moved, { clickId: 'n', customerKey: '' });
    expect([partnerId, sharedClick, customerKey]).toEqual([5, { clickId: 'c', place: 2 }, undefined]);
  });
});
