import { describe, expect, it } from 'vitest';
import { newCommission, type SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { asReadAt, released } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { withVerdict } from '#lib/service/earnings/commissions/rules-that-fit.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { timelineOf } from '#lib/service/reports/stories/timeline.ts';
import { termsOf } from '#test/support/payments/terms.ts';

const at = '2026-11-20T15:00:00.000Z';
const sale: Sale = {
  id: 1,
  programId: 1,
  transactionId: 't',
  amountCents: 4900,
  currency: 'USD',
  saleType: 'payment',
  isRecurring: false,
  source: 'api',
  occurredAt: at,
  createdAt: at,
  commissionState: 'notDue',
  refundedCents: 0,
};
const lead = { id: 2, clickId: 'clk_1', programId: 1, shortLink: 'ana', mode: 'server', createdAt: at } as const;

it('the timeline of a sale whose customer is unknown shows the confirmed lead at the time of the lead', () => {
  const timeline = timelineOf({ sale, clicks: [], refunds: [], lead: { ...lead, state: 'settled' } });
  expect(timeline.filter(({ kind }) => kind === 'lead')).toEqual([
    { at, kind: 'lead', text: 'Lead confirmed by your server' },
  ]);
});

it('the timeline of a sale shows a lead as provisional if it was never confirmed', () => {
  const timeline = timelineOf({ sale, clicks: [], refunds: [], lead: { ...lead, state: 'provisional' } });
  expect(timeline.filter(({ kind }) => kind === 'lead').map(({ text }) => text)).toEqual(['Provisional lead recorded']);
});

it('the timeline of a sale shows a click’s link without a partner’s name if the partner is unknown', () => {
  const click = { id: 3, at, shortLink: 'ana', partnerId: 5, isFirst: true };
  expect(timelineOf({ sale, clicks: [click], refunds: [] })[0]?.text).toBe('First click through link ana');
});

it('the timeline of a sale shows that an owner unlinked the customer, even if the reason was erased', () => {
  const customer = { clickId: 'clk_1', programId: 1, unlinkedAt: at } as Customer;
  expect(timelineOf({ sale, clicks: [], refunds: [], customer }).map(({ text }) => text)).toContain(
    'Customer unlinked by an owner',
  );
});

const stepsOf = (commission: SaleCommission) =>
  timelineOf({ sale, clicks: [], refunds: [], commission })
    .filter(({ kind }) => kind === 'commission')
    .map(({ at: when, text }) => `${when.slice(0, 10)} ${text}`);

describe('the timeline of a commission that a rule held for review', () => {
  const terms = termsOf({ commissionRate: 20, holdPeriodDays: 1 });
  const names = {
    id: 3,
    saleId: 1,
    programId: 1,
    partnerId: 5,
    clickId: 'clk_1',
    transactionId: 't',
    actor: 'api',
  } as const;
  const of = { ...names, occurredAt: at, createdAt: at };
  const paid = { amountCents: 4900, currency: 'USD', isRecurring: false, paidAt: new Date(at) } as const;
  const verdict = { flags: [{ rule: 'paid_ad', at, evidence: 'Why' }], isHeld: true } as const;
  const held = withVerdict(newCommission(of, terms, paid), verdict);
  const later = new Date('2026-11-25T15:00:00.000Z');

  it('shows that the commission was created and held', () => {
    expect(stepsOf(held)).toEqual(['2026-11-20 Commission created and held for review: 9.80 USD']);
  });

  it.each([
    [
      '2026-11-20T16:00:00.000Z',
      ['2026-11-20 Commission released: 9.80 USD', '2026-11-21 Commission approved: its hold is over'],
    ],
    [
      '2026-11-24T16:00:00.000Z',
      ['2026-11-24 Commission released: 9.80 USD', '2026-11-24 Commission approved: its hold is over'],
    ],
  ])(
    'shows the release at %s, and the approval when the hold for refunds is over, but not before the release',
    (releasedAt, steps) => {
      const commission = released(held, { actor: 'account:1', at: new Date(releasedAt) });
      expect(stepsOf(asReadAt(commission, { autoApprove: true }, later)).slice(1)).toEqual(steps);
    },
  );
});
