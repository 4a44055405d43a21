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
    ['is not found if no identifier matches a customer', {}, all, 'nobody'],
    [
      'is the customer of its click, even if other identifiers match other customers',
      { clicked: c, ofPayer: p, keyed: k, addressed: mail(e) },
      all,
      'c by click_id',
    ],
    [
      'is the customer of its click, even if the payer belongs to a customer who has bought',
      { clicked: c, ofPayer: { ...p, ...bought } },
      all,
      'c by click_id',
    ],
    [
      'is the customer with its e-mail address if it has no click, and the overruled match by payer is recorded',
      { ofPayer: p, keyed: k, addressed: mail(e) },
      noClick,
      'e by email, alone, overruled 5 by processor_customer',
    ],
    [
      'does not count as found by e-mail address alone if a click in the checkout URL has the same customer and another payer',
      { clicked: { ...c, ...bought, firstPayer: 'other' }, addressed: mail({ ...c, ...bought }) },
      { ...noClick, clickId: 'c', isClickReferred: true },
      'c by email',
    ],
    [
      'is the customer with its e-mail address rather than the one with its key, and the overruled match is recorded',
      { keyed: k, addressed: mail(e) },
      noClick,
      'e by email, alone, overruled 5 by customer_key',
    ],
    [
      'is the customer with its e-mail address rather than that of a click in the checkout URL',
      { clicked: c, addressed: mail(e) },
      { ...noClick, clickId: 'c', isClickReferred: true },
      'e by email, alone, overruled 5 by click_id',
    ],
    [
      'is found by e-mail address, and no overruled match is recorded if the customer with its key has the same partner',
      { keyed: customer('k', { customerKey: 'k', partnerId: 6 }), addressed: mail(e) },
      noClick,
      'e by email, alone',
    ],
    [
      'is still the customer to whom the payer was linked by e-mail address alone; the overruled key is recorded',
      { ofPayer: { ...e, ...bought }, isPayerByAddress: true, keyed: k },
      noClick,
      'e by processor_customer, alone, overruled 5 by customer_key',
    ],
    [
      'is the customer of its click rather than one to whom the payer was linked by e-mail address alone',
      { clicked: c, ofPayer: { ...e, ...bought }, isPayerByAddress: true },
      all,
      'c by click_id',
    ],
    [
      'is the customer to whom the payer belongs if it has no click and no e-mail address',
      { ofPayer: p, keyed: k },
      noClick,
      'p by processor_customer',
    ],
    ['is the customer with its key if the payer is unknown', { keyed: k }, noClick, 'k by customer_key'],
    [
      'still counts as found by e-mail address alone if the payer was linked that way',
      { ofPayer: { ...p, ...bought }, isPayerByAddress: true },
      noClick,
      'p by processor_customer, alone',
    ],
    [
      'still counts as found by e-mail address alone if the payer was linked to the same customer that way',
      { ofPayer: e, isPayerByAddress: true, addressed: mail(e) },
      noClick,
      'e by email, alone',
    ],
    [
      'no longer counts as found by e-mail address alone if the key belongs to the same customer',
      { ofPayer: { ...k, ...bought }, isPayerByAddress: true, keyed: { ...k, ...bought } },
      noClick,
      'k by processor_customer',
    ],
    [
      'still counts as found by e-mail address alone if only a browser sent the same customer’s key',
      { ofPayer: { ...k, ...bought }, isPayerByAddress: true, keyed: { ...k, ...claimed, ...bought } },
      noClick,
      'k by processor_customer, alone',
    ],
    [
      'is the customer with its key, who has bought, rather than one to whom the payer was linked by e-mail address',
      { ofPayer: { ...p, ...bought }, isPayerByAddress: true, keyed: { ...k, ...bought } },
      noClick,
      'k by customer_key',
    ],
    [
      'no longer counts as found by e-mail address alone if a click in the checkout URL has the same customer',
      { ofPayer: { ...c, ...bought }, isPayerByAddress: true, clicked: { ...c, ...bought } },
      { ...noClick, clickId: 'c', isClickReferred: true },
      'c by processor_customer',
    ],
    [
      'still counts as found by e-mail address alone if another payer uses the click in the checkout URL',
      { ofPayer: { ...p, ...bought }, isPayerByAddress: true, clicked: { ...c, ...bought, firstPayer: 'first' } },
      { ...noClick, clickId: 'c', isClickReferred: true },
      'p by processor_customer, alone',
    ],
    [
      'is the customer of its click for the first guest who pays with the click',
      { clicked: c },
      { clickId: 'c', guest: 'g' },
      'c by click_id',
    ],
    [
      'is the customer of its click for the same guest later',
      { clicked: { ...c, firstGuest: 'g' } },
      { clickId: 'c', guest: 'g' },
      'c by click_id',
    ],
    [
      'is the customer of its click for a guest with the e-mail address of the click’s lead',
      { clicked: { ...c, firstGuest: 'first', email: { hash: 'g', masked: 'g***@c.test' } } },
      { clickId: 'c', guest: 'g' },
      'c by click_id',
    ],
    [
      'is the customer of its click for a guest without an e-mail address',
      { clicked: { ...c, firstGuest: 'g' } },
      { clickId: 'c' },
      'c by click_id',
    ],
    [
      'is a new customer for a second guest who pays with the click',
      { clicked: { ...c, firstGuest: 'first' } },
      { clickId: 'c', guest: 'g' },
      'another with c',
    ],
    [
      'is a new customer for a guest if a known payer has paid with the click before',
      { clicked: { ...c, firstPayer: 'p' } },
      { clickId: 'c', guest: 'g' },
      'another with c',
    ],
    [
      'is the same new customer when the second guest pays again',
      { clicked: { ...c, firstGuest: 'first' }, ofGuest: customer('g', { sharedClick: { clickId: 'c', place: 2 } }) },
      { clickId: 'c', guest: 'g' },
      'g by click_id',
    ],
    [
      'is the payer’s customer, who has bought, rather than the customer with its e-mail address',
      { ofPayer: { ...p, ...bought }, addressed: mail(e) },
      noClick,
      'p by processor_customer, overruled 6 by email',
    ],
    [
      'is the customer with its key, who has bought, rather than the customer with its e-mail address',
      { ofPayer: p, keyed: { ...k, ...bought }, addressed: mail(e) },
      noClick,
      'k by customer_key, overruled 6 by email',
    ],
    [
      'is found by payer, and no overruled match is recorded if the customer with its e-mail address has the same partner',
      { ofPayer: { ...p, ...bought }, addressed: mail(customer('e')) },
      noClick,
      'p by processor_customer',
    ],
    [
      'is the customer with its e-mail address rather than one whose key only a browser sent',
      { keyed: { ...k, ...claimed, ...bought }, addressed: mail(e) },
      noClick,
      'e by email, alone',
    ],
    [
      'is marked as claimed if only a browser sent the customer’s key',
      { keyed: { ...k, ...claimed } },
      noClick,
      'k by customer_key, claimed',
    ],
    [
      'is marked as claimed if only a browser sent the customer’s e-mail address',
      { addressed: mail(e, true) },
      noClick,
      'e by email, alone, claimed',
    ],
    [
      'does not count as found by e-mail address alone if the payer belongs to the same customer',
      { ofPayer: e, addressed: mail(e) },
      noClick,
      'e by email',
    ],
    [
      'does not count as found by e-mail address alone if the key belongs to the same customer',
      { keyed: e, addressed: mail(e) },
      noClick,
      'e by email',
    ],
    [
      'does not count as found by e-mail address alone if a click in the checkout URL has the same customer',
      { clicked: e, addressed: mail(e) },
      { clickId: 'e', isClickReferred: true },
      'e by email',
    ],
    [
      'is the customer with its key rather than that of a click in the checkout URL',
      { clicked: c, keyed: k },
      { ...all, isClickReferred: true },
      'k by customer_key',
    ],
    [
      'is the customer of a click in the checkout URL if nothing else matches',
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
      'the click’s customer if the first payer pays again',
      { clicked: paid },
      { clickId: 'c', processorCustomerId: 'p1' },
      'c by click_id',
    ],
    [
      'the click’s customer if a payer pays who was linked to that customer later',
      { clicked: paid, ofPayer: paid },
      { clickId: 'c', processorCustomerId: 'p2' },
      'c by click_id',
    ],
    [
      'the click’s customer if another payer sends that customer’s key',
      { clicked: { ...paid, customerKey: 'k' } },
      { clickId: 'c', processorCustomerId: 'p2', customerKey: 'k' },
      'c by click_id',
    ],
    [
      'the click’s customer if the payment has no other identifier',
      { clicked: paid },
      { clickId: 'c' },
      'c by click_id',
    ],
    [
      'a new customer if another payer pays with the click',
      { clicked: paid },
      { clickId: 'c', processorCustomerId: 'p2' },
      'another with c',
    ],
    [
      'a new customer if the payment has another key than the click’s customer',
      { clicked: customer('c', { customerKey: 'k1' }) },
      { clickId: 'c', processorCustomerId: 'p2', customerKey: 'k2' },
      'another with c',
    ],
    [
      'the payer’s customer if that customer already shares the click',
      { clicked: customer('c', { customerKey: 'k1' }), ofPayer: sharer },
      { clickId: 'c', processorCustomerId: 'p2' },
      's by processor_customer',
    ],
    [
      'the customer with its e-mail address if another payer pays with the click',
      { clicked: paid, addressed: mail(e) },
      { clickId: 'c', processorCustomerId: 'p2' },
      'e by email, alone',
    ],
    [
      'unknown if another payer pays with a click that a payment created',
      { clicked: { ...paid, source: 'code' } },
      { clickId: 'c', processorCustomerId: 'p2' },
      'nobody',
    ],
    [
      'unknown if another payer pays with the click of a customer whom a coupon code brought',
      { clicked: { ...paid, code: 'SAVE10' } },
      { clickId: 'c', processorCustomerId: 'p2' },
      'nobody',
    ],
    [
      'the click’s customer for any payer if that customer has no partner',
      { clicked: { ...paid, partnerId: undefined } },
      { clickId: 'c', processorCustomerId: 'p2' },
      'c by click_id',
    ],
    [
      'the click’s customer for any payer if the click is one of the run that verifies an integration',
      { clicked: { ...paid, isTest: true } },
      { clickId: 'c', processorCustomerId: 'p2' },
      'c by click_id',
    ],
  ])('that has a click is %s', (_, found, payer, outcome) => {
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

  it('is not found by the e-mail address if the Stripe customer or the key matches a customer who has bought', () => {
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

  it('is found if any identifier matches a customer, and only then', () => {
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
    ['unknown if the sale has no identifier', {}, {}, 'nobody', 'nobody'],
    [
      'the customer with the key, even if the click has another customer',
      { keyed: k, clicked: c },
      named,
      'k by customer_key',
      'k by customer_key',
    ],
    ['the click’s customer if no customer has the key', { clicked: c }, named, 'c by click_id', 'c by click_id'],
    [
      'the customer whose key only a browser sent if browsers are accepted, and otherwise unknown',
      { keyed: { ...k, ...claimed } },
      { customerKey: 'k' },
      'nobody',
      'k by customer_key',
    ],
    [
      'the click’s customer rather than one whose key only a browser sent',
      { keyed: { ...k, ...claimed }, clicked: c },
      named,
      'c by click_id',
      'c by click_id',
    ],
    [
      'the customer whose key only a browser sent if the sale also has that customer’s click',
      { keyed: { ...c, ...claimed }, clicked: { ...c, ...claimed } },
      named,
      'c by click_id',
      'c by customer_key',
    ],
    [
      'the customer whose key only a browser sent if browsers are accepted and the click has only a provisional lead',
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
      'a new customer if the provisional lead of the click has another key',
      { clicked: { ...c, unboundKey: 'k1' } },
      named,
      'another with c',
      'another with c',
    ],
    [
      'the click’s customer if the provisional lead of the click has the same key',
      { clicked: { ...c, unboundKey: 'k' } },
      named,
      'c by click_id',
      'c by click_id',
    ],
    [
      'the click’s customer if only a browser sent that customer’s key, but a new customer if browsers are accepted',
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

  it('gets the partner of the click, even if a coupon code later moved the click’s first customer to another partner', () => {
    const moved = customer('c', { code: 'SAVE10', partnerId: 6, formerPartnerId: 5 });
    const { partnerId, sharedClick, customerKey } = customerOfSharedClick(moved, { clickId: 'n', customerKey: '' });
    expect([partnerId, sharedClick, customerKey]).toEqual([5, { clickId: 'c', place: 2 }, undefined]);
  });
});
