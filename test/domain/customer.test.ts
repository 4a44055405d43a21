import { expect, it } from 'vitest';
import { attributedPart, type Customer, customerMayBecome } from '#lib/domain/customer.ts';

it('a customer moves from click to lead to conversion and never back', () => {
  expect(customerMayBecome).toEqual({ lead: ['click'], conversion: ['click', 'lead'] });
});

it('the item of a customer’s key repeats what attribution needs, and nothing of the person', () => {
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
