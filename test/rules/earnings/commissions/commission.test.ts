import { describe, expect, it } from 'vitest';
import {
  chargedFee,
  holdUntil,
  newCommission,
  type SaleCommission,
} from '#lib/service/earnings/commissions/commission.ts';
import { termsOf } from '#test/support/payments/terms.ts';

it('a new commission is pending, and stores the sale, the terms, the payment and the platform fee', () => {
  const sale = {
    id: 17,
    saleId: 42,
    programId: 3,
    partnerId: 5,
    clickId: 'clk_1',
    transactionId: 'in_1',
    occurredAt: '2026-11-19T00:00:00.000Z',
    createdAt: '2026-11-20T15:00:00.000Z',
  };
  const terms = termsOf({ commissionRate: 20, holdPeriodDays: 15, platformFeeBps: 350 });
  const paidAt = new Date('2026-11-20T15:00:00.000Z');
  const payment = { amountCents: 4_900, currency: 'EUR', isRecurring: false, paidAt };
  expect(newCommission({ ...sale, actor: 'api' }, terms, payment)).toEqual({
    ...sale,
    status: 'pending',
    commissionType: 'percent',
    commissionRate: 20,
    terms: { version: 1, from: 'program' },
    baseAmountCents: 4_900,
    amountCents: 980,
    deductedCents: 0,
    currency: 'EUR',
    refundState: 'none',
    platformFee: { amountCents: 172, reducedCents: 0, bps: 350, currency: 'EUR' },
    holdUntil: '2026-12-05T15:00:00.000Z',
    history: [
      {
        at: '2026-11-20T15:00:00.000Z',
        actor: 'api',
        action: 'created',
        from: null,
        to: 'pending',
        amountCents: 980,
        reason: null,
      },
    ],
  });
});

it('the hold of a new commission ends a number of whole days after the sale', () => {
  expect(holdUntil(new Date('2026-02-20T15:00:00.000Z'), 15).toISOString()).toBe('2026-03-07T15:00:00.000Z');
});

describe('the platform fee', () => {
  const commission = {
    platformFee: { amountCents: 172, reducedCents: 86, bps: 350, currency: 'USD' },
  } as SaleCommission;
  const heldAt = '2026-11-20T15:00:00.000Z';

  it.each([
    [{}, { amountCents: 172, reducedCents: 86 }],
    [
      { heldAt, releasedAt: heldAt },
      { amountCents: 172, reducedCents: 86 },
    ],
    [{ heldAt }, { amountCents: 0, reducedCents: 0 }],
    [{ heldAt, status: 'rejected' } as const, { amountCents: 0, reducedCents: 0 }],
  ])('of a commission with %j is %j', (state, fee) => {
    expect(chargedFee({ ...commission, ...state })).toEqual(fee);
  });
});
