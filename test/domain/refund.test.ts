import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Commission, newCommission } from '#lib/domain/commission.ts';
import { type Refund, refundOutcome, withRefunds } from '#lib/domain/refund.ts';
import type { Sale } from '#lib/domain/sale.ts';

const AT = new Date('2026-11-25T00:00:00.000Z');
const PAID_AT = '2026-11-20T15:00:00.000Z';

const saleOf = (amountCents: number): Sale => ({
  id: 42,
  programId: 3,
  transactionId: 'in_1',
  amountCents,
  currency: 'USD',
  saleType: 'payment',
  isRecurring: false,
  source: 'api',
  occurredAt: PAID_AT,
  createdAt: PAID_AT,
  commissionState: 'created',
  refundedCents: 0,
});

const commissionOf = (sale: Sale, commissionRate = 20): Commission =>
  newCommission(
    {
      id: 17,
      saleId: sale.id,
      programId: 3,
      partnerId: 5,
      clickId: 'clk_1',
      transactionId: sale.transactionId,
      occurredAt: PAID_AT,
      createdAt: PAID_AT,
      actor: 'api',
    },
    { commissionType: 'percent', commissionRate, holdPeriodDays: 15, platformFeeBps: 350 },
    { ...sale, paidAt: new Date(PAID_AT) },
  );

const refundOf = (totalCents?: number, reason: Refund['reason'] = 'refund'): Refund => ({
  totalCents,
  reason,
  actor: 'api',
  at: AT,
});

const SALE = saleOf(4_900);
const COMMISSION = commissionOf(SALE);

describe('a full refund', () => {
  it.each([undefined, 0, 4_900, 9_999])('of %s cents reverses the commission', (totalCents) => {
    expect(refundOutcome(SALE, COMMISSION, refundOf(totalCents, 'chargeback'))).toEqual({
      status: 'reversed',
      refundedCents: 4_900,
      deductionCents: 980,
      effect: {
        sale: { refundedCents: 4_900, refundReason: 'chargeback' },
        stepCents: 4_900,
        commission: {
          status: 'reversed',
          deductedCents: 980,
          refundState: 'full',
          reversalReason: 'chargeback',
          reversedAt: AT.toISOString(),
          needsReview: undefined,
          platformFee: { amountCents: 172, reducedCents: 172, bps: 350, currency: 'USD' },
          history: [
            ...COMMISSION.history,
            {
              at: AT.toISOString(),
              actor: 'api',
              action: 'reversed',
              from: 'pending',
              to: 'reversed',
              amountCents: 980,
              reason: 'chargeback',
            },
          ],
        },
      },
    });
  });

  it('marks a commission that was paid for review', () => {
    const outcome = refundOutcome(SALE, { ...COMMISSION, status: 'paid' }, refundOf());
    expect(outcome.effect?.commission).toMatchObject({ status: 'reversed', needsReview: true });
  });
});

describe('a partial refund', () => {
  it('keeps the status and raises the deduction', () => {
    expect(refundOutcome(SALE, { ...COMMISSION, status: 'approved' }, refundOf(2_450))).toMatchObject({
      status: 'refunded',
      refundedCents: 2_450,
      deductionCents: 490,
      effect: {
        sale: { refundedCents: 2_450, refundReason: 'refund' },
        stepCents: 2_450,
        commission: {
          status: 'approved',
          deductedCents: 490,
          refundState: 'partial',
          reversalReason: undefined,
          reversedAt: undefined,
          needsReview: undefined,
          platformFee: { amountCents: 172, reducedCents: 86 },
        },
      },
    });
  });

  it('keeps the mark for review that an earlier one left', () => {
    const reviewed: Commission = { ...COMMISSION, status: 'approved', needsReview: true };
    expect(refundOutcome(SALE, reviewed, refundOf(1)).effect?.commission?.needsReview).toBe(true);
  });
});

describe('without effect', () => {
  const refundedSale = { ...SALE, refundedCents: 2_450 };

  it.each([2_450, 1])('skips a total of %i when 2450 are recorded', (totalCents) => {
    expect(refundOutcome(refundedSale, { ...COMMISSION, deductedCents: 490 }, refundOf(totalCents))).toEqual({
      status: 'skipped',
      reason: 'already refunded',
    });
  });

  it('skips a commission that is reversed, whatever is refunded', () => {
    expect(refundOutcome(SALE, { ...COMMISSION, status: 'reversed' }, refundOf())).toEqual({
      status: 'skipped',
      reason: 'already reversed',
    });
  });

  it('stores the refund of a rejected commission on the sale, once', () => {
    const rejected: Commission = { ...COMMISSION, status: 'rejected' };
    const stored = { sale: { refundedCents: 4_900, refundReason: 'refund' }, stepCents: 2_450 };
    const skipped = { status: 'skipped', reason: 'commission rejected' };
    expect(refundOutcome(refundedSale, rejected, refundOf())).toEqual({ ...skipped, effect: stored });
    expect(refundOutcome({ ...SALE, refundedCents: 4_900 }, rejected, refundOf())).toEqual(skipped);
  });

  it('stores the refund of a sale without commission on the sale, once', () => {
    const stored = { sale: { refundedCents: 100, refundReason: 'chargeback' }, stepCents: 100 };
    const outcome = refundOutcome(SALE, undefined, refundOf(100, 'chargeback'));
    expect(outcome).toEqual({ status: 'noCommission', effect: stored });
    expect(refundOutcome({ ...SALE, refundedCents: 100 }, undefined, refundOf(100))).toEqual({
      status: 'noCommission',
    });
  });
});

/** Refunds to each of these totals in turn. */
const apply = (amountCents: number, rate: number, totals: readonly number[]) => {
  let sale = saleOf(amountCents);
  let commission = commissionOf(sale, rate);
  let takenCents = 0;
  for (const totalCents of totals) {
    const outcome = refundOutcome(sale, commission, refundOf(totalCents));
    const stepCents = 'deductionCents' in outcome ? outcome.deductionCents : 0;
    expect(stepCents).toBeGreaterThanOrEqual(0);
    takenCents += stepCents;
    sale = { ...sale, ...outcome.effect?.sale };
    commission = { ...commission, ...outcome.effect?.commission };
  }
  return { sale, commission, takenCents };
};

describe('any sequence of refunds', () => {
  const amounts = fc.integer({ min: 1, max: 1_000_000 });
  const rates = fc.integer({ min: 1, max: 3_000_000 }).map((rate) => rate / 10_000);

  it('takes what one refund of the highest total takes, and never more than the commission', () => {
    fc.assert(
      fc.property(
        amounts,
        rates,
        fc.array(fc.integer({ min: 1, max: 1_100_000 }), { minLength: 1 }),
        (amount, rate, totals) => {
          const stepwise = apply(amount, rate, totals);
          const atOnce = apply(amount, rate, [Math.max(...totals)]);
          expect(stepwise.takenCents).toBe(stepwise.commission.deductedCents);
          expect(stepwise.takenCents).toBeLessThanOrEqual(stepwise.commission.amountCents);
          expect(stepwise.commission.deductedCents).toBe(atOnce.commission.deductedCents);
          expect(stepwise.commission.platformFee).toEqual(atOnce.commission.platformFee);
          expect(stepwise.commission.status).toBe(atOnce.commission.status);
          expect(stepwise.sale.refundedCents).toBe(atOnce.sale.refundedCents);
        },
      ),
    );
  });

  it('leaves nothing of a commission whose sale is refunded in full', () => {
    fc.assert(
      fc.property(amounts, rates, fc.array(amounts), (amount, rate, totals) => {
        const { commission, takenCents } = apply(amount, rate, [...totals, 0]);
        expect(commission).toMatchObject({ status: 'reversed', refundState: 'full' });
        expect(takenCents).toBe(commission.amountCents);
      }),
    );
  });
});

describe('withRefunds', () => {
  it('leaves a commission as it is when nothing was refunded', () => {
    expect(withRefunds(COMMISSION, SALE, [])).toEqual({ commission: COMMISSION, shares: [] });
  });

  it('takes from a late commission what the refunds would have taken from it in time', () => {
    const totals = fc.uniqueArray(fc.integer({ min: 1, max: 4_900 }), { maxLength: 5 });
    const rates = fc.double({ min: 0.0001, max: 100, noNaN: true });
    fc.assert(
      fc.property(totals, rates, (unordered, rate) => {
        const made = commissionOf(SALE, rate);
        const refunds = unordered.toSorted((a, b) => a - b).map((total) => refundOf(total));
        let [sale, inTime] = [SALE, made];
        for (const refund of refunds) {
          const { effect } = refundOutcome(sale, inTime, refund);
          sale = { ...sale, ...effect?.sale };
          inTime = { ...inTime, ...effect?.commission };
        }
        // The sale holds its total already, as it does when the commission is made late.
        const { commission, shares } = withRefunds(made, sale, refunds);
        expect(commission).toEqual(inTime);
        const sums = shares.reduce(
          (sum, share) => ({
            deducted: sum.deducted + share.deductionCents,
            fee: sum.fee + share.feeReductionCents,
          }),
          { deducted: 0, fee: 0 },
        );
        expect(sums).toEqual({ deducted: inTime.deductedCents, fee: inTime.platformFee.reducedCents });
      }),
    );
  });

  it('ends with the whole sale refunded: nothing later changes it', () => {
    const { commission: refunded } = withRefunds(COMMISSION, { ...SALE, refundedCents: 4_900 }, [
      refundOf(100),
      refundOf(4_900),
    ]);
    expect(refunded).toMatchObject({ status: 'reversed', deductedCents: 980, refundState: 'full' });
    expect(withRefunds(refunded, SALE, [refundOf(4_900)])).toEqual({
      commission: refunded,
      shares: [{ deductionCents: 0, feeReductionCents: 0 }],
    });
  });
});
