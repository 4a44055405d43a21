import { describe, expect, it } from 'vitest';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { traceEmail } from '#lib/service/ground/addresses/email.ts';
import { amountsWithout, customerNameFor, hasFormerPartner } from '#lib/service/reports/stories/partner-customer.ts';

const name = (partnerId: number, clickId: string, emailSalt = 'salt') =>
  customerNameFor({ id: partnerId }, { clickId }, { emailSalt });

describe('the pseudonym under which a partner sees a customer', () => {
  it('is always the same for a partner, customer and program, and differs if one of them differs', () => {
    const names = [name(1, 'clk_1'), name(2, 'clk_1'), name(1, 'clk_2'), name(1, 'clk_1', 'other')];
    expect(new Set(names).size).toBe(4);
    expect(name(1, 'clk_1')).toBe(names[0]);
    for (const one of names) expect(one).toMatch(/^cus_[\w-]{22}$/);
  });

  it('is not a hash of an e-mail address', () => {
    const { hash } = traceEmail('customer 1 clk_1', 'salt');
    const asBase64 = Buffer.from(hash, 'hex').toString('base64url').slice(0, 22);
    // Equal texts would give the same alias: no address contains white space.
    expect(name(1, 'clk_1')).toBe(`cus_${asBase64}`);
  });
});

const has = (customer: Partial<Customer>) => hasFormerPartner(customer as Customer);

it('a customer has a former partner if a coupon code gave the customer to another one after a confirmed lead', () => {
  expect(has({ formerPartnerId: 1, leadState: 'settled' })).toBe(true);
  expect(has({ formerPartnerId: 1, leadState: 'provisional' })).toBe(false);
  expect(has({ leadState: 'settled' })).toBe(false);
});

const money = (revenueCents: number, commissionCents: number) => ({
  revenueCents,
  refundedCents: 0,
  commissionCents,
  rejectedCents: 0,
  platformFeeCents: 0,
  paidOutCents: 0,
});

describe('a customer’s amounts without a commission that another partner earned', () => {
  it.each([
    [{ USD: money(4900, 1480) }, { USD: money(4900, 980) }],
    [{ USD: money(0, 500), EUR: money(1, 1) }, { EUR: money(1, 1) }],
    // The lead's commission is not counted yet.
    [{ EUR: money(1, 1) }, { EUR: money(1, 1) }],
  ])('are the total %j less that commission', (amounts, left) => {
    expect(amountsWithout(amounts, { currency: 'USD', amountCents: 500 })).toEqual(left);
  });
});
