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

/** Whom a payment's identifiers lead to, in short. */
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

describe('the customer of a payment of the processor', () => {
  const all: Payer = { clickId: 'c', processorCustomerId: 'p', customerKey: 'k' };
  const noClick: Payer = { processorCustomerId: 'p', customerKey: 'k' };
  const c = customer('c');
  const p = customer('p');
  const k = customer('k', { customerKey: 'k' });
  const e = customer('e', { partnerId: 6 });

  it.each<[string, CustomersOfPayment, Payer, string]>([
    ['nothing leads anywhere', {}, all, 'nobody'],
    ['the click comes first', { clicked: c, ofPayer: p, keyed: k, addressed: mail(e) }, all, 'c by click_id'],
    ['also before who has bought', { clicked: c, ofPayer: { ...p, ...bought } }, all, 'c by click_id'],
    [
      'then the address, and the other claim is noted',
      { ofPayer: p, keyed: k, addressed: mail(e) },
      noClick,
      'e by email, alone, overruled 5 by processor_customer',
    ],
    [
      'it is not alone where the address of the checkout has its click, with which somebody else has paid',
      { clicked: { ...c, ...bought, firstPayer: 'other' }, addressed: mail({ ...c, ...bought }) },
      { ...noClick, clickId: 'c', isClickReferred: true },
      'c by email',
    ],
    [
      'so is that of a key',
      { keyed: k, addressed: mail(e) },
      noClick,
      'e by email, alone, overruled 5 by customer_key',
    ],
    [
      'and that of a click in the address of the checkout',
      { clicked: c, addressed: mail(e) },
      { ...noClick, clickId: 'c', isClickReferred: true },
      'e by email, alone, overruled 5 by click_id',
    ],
    [
      'but not one of the same partner',
      { keyed: customer('k', { customerKey: 'k', partnerId: 6 }), addressed: mail(e) },
      noClick,
      'e by email, alone',
    ],
    [
      'a payer by an address alone stays, and the other claim is noted',
      { ofPayer: { ...e, ...bought }, isPayerByAddress: true, keyed: k },
      noClick,
      'e by processor_customer, alone, overruled 5 by customer_key',
    ],
    [
      'who overrules no click of the payment',
      { clicked: c, ofPayer: { ...e, ...bought }, isPayerByAddress: true },
      all,
      'c by click_id',
    ],
    ['then the payer', { ofPayer: p, keyed: k }, noClick, 'p by processor_customer'],
    ['then the key', { keyed: k }, noClick, 'k by customer_key'],
    [
      'a payer by an address alone is no more than that',
      { ofPayer: { ...p, ...bought }, isPayerByAddress: true },
      noClick,
      'p by processor_customer, alone',
    ],
    [
      'nor does such a payer confirm the address',
      { ofPayer: e, isPayerByAddress: true, addressed: mail(e) },
      noClick,
      'e by email, alone',
    ],
    [
      'unless the key names the same customer',
      { ofPayer: { ...k, ...bought }, isPayerByAddress: true, keyed: { ...k, ...bought } },
      noClick,
      'k by processor_customer',
    ],
    [
      'but a key that only a browser claimed confirms nothing',
      { ofPayer: { ...k, ...bought }, isPayerByAddress: true, keyed: { ...k, ...claimed, ...bought } },
      noClick,
      'k by processor_customer, alone',
    ],
    [
      'nor does the key of another one, who decides after buying',
      { ofPayer: { ...p, ...bought }, isPayerByAddress: true, keyed: { ...k, ...bought } },
      noClick,
      'k by customer_key',
    ],
    [
      'while a click in the address of the checkout does',
      { ofPayer: { ...c, ...bought }, isPayerByAddress: true, clicked: { ...c, ...bought } },
      { ...noClick, clickId: 'c', isClickReferred: true },
      'c by processor_customer',
    ],
    [
      'but not where another person pays with it',
      { ofPayer: { ...p, ...bought }, isPayerByAddress: true, clicked: { ...c, ...bought, firstPayer: 'first' } },
      { ...noClick, clickId: 'c', isClickReferred: true },
      'p by processor_customer, alone',
    ],
    ['the first guest is the click’s customer', { clicked: c }, { clickId: 'c', guest: 'g' }, 'c by click_id'],
    [
      'so is the same guest later',
      { clicked: { ...c, firstGuest: 'g' } },
      { clickId: 'c', guest: 'g' },
      'c by click_id',
    ],
    [
      'and a guest with the address of the lead',
      { clicked: { ...c, firstGuest: 'first', email: { hash: 'g', masked: 'g***@c.test' } } },
      { clickId: 'c', guest: 'g' },
      'c by click_id',
    ],
    ['and one without an address', { clicked: { ...c, firstGuest: 'g' } }, { clickId: 'c' }, 'c by click_id'],
    [
      'another guest is another person',
      { clicked: { ...c, firstGuest: 'first' } },
      { clickId: 'c', guest: 'g' },
      'another with c',
    ],
    [
      'also after a payer whom the processor knows',
      { clicked: { ...c, firstPayer: 'p' } },
      { clickId: 'c', guest: 'g' },
      'another with c',
    ],
    [
      'who is found again with the click',
      { clicked: { ...c, firstGuest: 'first' }, ofGuest: customer('g', { sharedClick: { clickId: 'c', place: 2 } }) },
      { clickId: 'c', guest: 'g' },
      'g by click_id',
    ],
    [
      'a payer who has bought comes before the address',
      { ofPayer: { ...p, ...bought }, addressed: mail(e) },
      noClick,
      'p by processor_customer, overruled 6 by email',
    ],
    [
      'so does a key',
      { ofPayer: p, keyed: { ...k, ...bought }, addressed: mail(e) },
      noClick,
      'k by customer_key, overruled 6 by email',
    ],
    [
      'which overrules nobody of the same partner',
      { ofPayer: { ...p, ...bought }, addressed: mail(customer('e')) },
      noClick,
      'p by processor_customer',
    ],
    [
      'a key that only a browser claimed does not',
      { keyed: { ...k, ...claimed, ...bought }, addressed: mail(e) },
      noClick,
      'e by email, alone',
    ],
    ['and is told as such', { keyed: { ...k, ...claimed } }, noClick, 'k by customer_key, claimed'],
    ['as an address is', { addressed: mail(e, true) }, noClick, 'e by email, alone, claimed'],
    ['an address is not alone beside its payer', { ofPayer: e, addressed: mail(e) }, noClick, 'e by email'],
    ['nor beside its key', { keyed: e, addressed: mail(e) }, noClick, 'e by email'],
    [
      'nor beside its click in the address of the checkout',
      { clicked: e, addressed: mail(e) },
      { clickId: 'e', isClickReferred: true },
      'e by email',
    ],
    ['such a click comes last', { clicked: c, keyed: k }, { ...all, isClickReferred: true }, 'k by customer_key'],
    ['but counts', { clicked: c }, { ...all, isClickReferred: true }, 'c by click_id'],
  ])('%s', (_, found, payer, outcome) => {
    expect(outcomeOf(customerOfPayment(found, payer, browser))).toBe(outcome);
  });

  const paid = customer('c', { firstPayer: 'p1', ...bought });
  const sharer = customer('s', { sharedClick: { clickId: 'c', place: 2 }, ...bought });
  it.each<[string, CustomersOfPayment, Payer, string]>([
    ['by its first payer', { clicked: paid }, { clickId: 'c', processorCustomerId: 'p1' }, 'c by click_id'],
    [
      'by a payer who was bound since',
      { clicked: paid, ofPayer: paid },
      { clickId: 'c', processorCustomerId: 'p2' },
      'c by click_id',
    ],
    [
      'by its key, whoever pays',
      { clicked: { ...paid, customerKey: 'k' } },
      { clickId: 'c', processorCustomerId: 'p2', customerKey: 'k' },
      'c by click_id',
    ],
    ['where nobody is named', { clicked: paid }, { clickId: 'c' }, 'c by click_id'],
    ['not by another payer', { clicked: paid }, { clickId: 'c', processorCustomerId: 'p2' }, 'another with c'],
    [
      'not by another key',
      { clicked: customer('c', { customerKey: 'k1' }) },
      { clickId: 'c', processorCustomerId: 'p2', customerKey: 'k2' },
      'another with c',
    ],
    [
      'not by a payer who shares it',
      { clicked: customer('c', { customerKey: 'k1' }), ofPayer: sharer },
      { clickId: 'c', processorCustomerId: 'p2' },
      's by processor_customer',
    ],
    [
      'not by another payer, whom the address names',
      { clicked: paid, addressed: mail(e) },
      { clickId: 'c', processorCustomerId: 'p2' },
      'e by email, alone',
    ],
    [
      'not by what a payment made: that is no click',
      { clicked: { ...paid, source: 'code' } },
      { clickId: 'c', processorCustomerId: 'p2' },
      'nobody',
    ],
    [
      'not where a code brought it and its click has no partner',
      { clicked: { ...paid, code: 'SAVE10' } },
      { clickId: 'c', processorCustomerId: 'p2' },
      'nobody',
    ],
    [
      'always, where it has no partner',
      { clicked: { ...paid, partnerId: undefined } },
      { clickId: 'c', processorCustomerId: 'p2' },
      'c by click_id',
    ],
    [
      'always, of a verification chain',
      { clicked: { ...paid, isTest: true } },
      { clickId: 'c', processorCustomerId: 'p2' },
      'c by click_id',
    ],
  ])('a click is its customer’s %s', (_, found, payer, outcome) => {
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

  it('whatever is found, an address takes nobody whose payer or key has bought', () => {
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

  it('whatever is found, somebody gets a payment that anything leads to, unless it is no click', () => {
    fc.assert(
      fc.property(maybe, maybe, maybe, maybe, (clicked, ofPayer, keyed, other) => {
        const found = { clicked, ofPayer, keyed, addressed: other && mail(other) };
        const isNobody = customerOfPayment(found, all, server) === undefined;
        expect(isNobody).toBe(Object.values(found).every((one) => one === undefined));
      }),
    );
  });
});

describe('the customer of a sale of the brand’s server', () => {
  const c = customer('c');
  const k = customer('k', { customerKey: 'k' });
  const named = { clickId: 'c', customerKey: 'k' };

  it.each<[string, Parameters<typeof customerOfSale>[0], Parameters<typeof customerOfSale>[1], string, string]>([
    ['nobody', {}, {}, 'nobody', 'nobody'],
    ['of the key', { keyed: k, clicked: c }, named, 'k by customer_key', 'k by customer_key'],
    ['of the click', { clicked: c }, named, 'c by click_id', 'c by click_id'],
    ['of a claimed key', { keyed: { ...k, ...claimed } }, { customerKey: 'k' }, 'nobody', 'k by customer_key'],
    [
      'of the click, not of a claimed key',
      { keyed: { ...k, ...claimed }, clicked: c },
      named,
      'c by click_id',
      'c by click_id',
    ],
    [
      'of a claimed key that its own click confirms',
      { keyed: { ...c, ...claimed }, clicked: { ...c, ...claimed } },
      named,
      'c by click_id',
      'c by customer_key',
    ],
    [
      'of a claimed key, while the click’s provisional lead may claim one',
      { keyed: { ...k, ...claimed }, clicked: { ...c, leadState: 'provisional' } },
      named,
      'c by click_id',
      'k by customer_key',
    ],
    [
      'another person’s with the click',
      { clicked: { ...c, customerKey: 'k1' } },
      named,
      'another with c',
      'another with c',
    ],
    [
      'another person’s, where a provisional lead kept the key from being bound',
      { clicked: { ...c, unboundKey: 'k1' } },
      named,
      'another with c',
      'another with c',
    ],
    ['the same person’s', { clicked: { ...c, unboundKey: 'k' } }, named, 'c by click_id', 'c by click_id'],
    [
      'of the click, whose key only a browser claimed',
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

describe('a person who pays with another one’s click', () => {
  it('is of the click’s partner since the click, and has nothing of the other person', () => {
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

  it('is of the partner of the click where a code moved the other one', () => {
    const moved = customer('c', { code: 'SAVE10', partnerId: 6, formerPartnerId: 5 });
    const { partnerId, sharedClick, customerKey } = customerOfSharedClick(moved, { clickId: 'n', customerKey: '' });
    expect([partnerId, sharedClick, customerKey]).toEqual([5, { clickId: 'c', place: 2 }, undefined]);
  });
});
