import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditRow, SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { type Refund, refundOutcome, withReversals } from '#lib/service/conversions/refunds/refund.ts';
import { type RefundStep, withRefunds } from '#lib/service/conversions/refunds/refunded-commission.ts';
import type { Reversal } from '#lib/service/conversions/refunds/reversals.ts';
import { earnedCommission, recordedSale } from '#test/support/payments/refundable.ts';

const AT = new Date('2026-11-25T00:00:00.000Z');

const refundOf = (amountCents?: number, reason: Refund['reason'] = 'refund'): Refund => ({
  amountCents,
  reason,
  actor: 'api',
  at: AT,
});

const now = { changedAt: AT.toISOString() };
const SALE = recordedSale(4_900, 'api');
const COMMISSION = earnedCommission(SALE);

describe('a full refund', () => {
  it.each([undefined, 4_900])('that is sent with the amount %s (in cents) reverses the commission', (amountCents) => {
    expect(refundOutcome(SALE, COMMISSION, refundOf(amountCents, 'chargeback'))).toEqual({
      status: 'reversed',
      refundedCents: 4_900,
      deductionCents: 980,
      after: {
        sale: { ...SALE, refundedCents: 4_900, refundReason: 'chargeback', fullyRefundedAt: AT.toISOString(), ...now },
        steps: [
          {
            reason: 'chargeback',
            createdAt: AT.toISOString(),
            amountCents: 4_900,
            refundedCents: 4_900,
            deductionCents: 980,
            feeReductionCents: 172,
          },
        ],
        commission: {
          ...COMMISSION,
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

  it('marks a paid commission for review', () => {
    const outcome = refundOutcome(SALE, { ...COMMISSION, status: 'paid' }, refundOf());
    expect('after' in outcome && outcome.after?.commission).toMatchObject({ status: 'reversed', needsReview: true });
  });
});

describe('a partial refund', () => {
  it('keeps the commission’s status and raises its deduction', () => {
    expect(refundOutcome(SALE, { ...COMMISSION, status: 'approved' }, refundOf(2_450))).toMatchObject({
      status: 'refunded',
      refundedCents: 2_450,
      deductionCents: 490,
      after: {
        sale: { refundedCents: 2_450, refundReason: 'refund' },
        steps: [{ amountCents: 2_450, refundedCents: 2_450, deductionCents: 490, feeReductionCents: 86 }],
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

  it('that deducts less than one cent still adds a deduction to the history and marks a paid commission for review', () => {
    const paid: SaleCommission = {
      ...COMMISSION,
      status: 'paid',
      paidAt: AT.toISOString(),
      paidOutCents: 980,
      payoutId: 1,
    };
    const { commission } = refundOutcome(SALE, paid, refundOf(1)).after!;
    expect(commission).toMatchObject({ deductedCents: 0, needsReview: true });
    expect(commission!.history.at(-1)).toMatchObject({ action: 'deducted', amountCents: 0 });
  });

  it('keeps the mark for review that the commission already has', () => {
    const reviewed: SaleCommission = { ...COMMISSION, status: 'approved', needsReview: true };
    expect(refundOutcome(SALE, reviewed, refundOf(1))).toMatchObject({ after: { commission: { needsReview: true } } });
  });
});

describe('a refund that deducts nothing from the commission', () => {
  const refundedSale = { ...SALE, refundedCents: 2_450 };

  it.each([2_450, 1])('is skipped if its total is %i and a total of 2450 is already recorded', (totalCents) => {
    expect(refundOutcome(refundedSale, { ...COMMISSION, deductedCents: 490 }, refundOf(totalCents))).toEqual({
      status: 'skipped',
      reason: 'already refunded',
    });
  });

  it('is skipped for any amount if the commission is already reversed', () => {
    const { sale, commission } = refundOutcome(SALE, COMMISSION, refundOf()).after!;
    for (const amountCents of [undefined, 4_900, 100]) {
      expect(refundOutcome(sale, commission, refundOf(amountCents))).toEqual({
        status: 'skipped',
        reason: 'already reversed',
      });
    }
  });

  it('is stored with the sale of a rejected commission and reduces the platform fee; repeated, it is skipped', () => {
    const rejected: SaleCommission = { ...COMMISSION, status: 'rejected' };
    const step = {
      reason: 'refund',
      createdAt: AT.toISOString(),
      amountCents: 2_450,
      refundedCents: 4_900,
      deductionCents: 0,
      feeReductionCents: 172,
    };
    const sale = { ...SALE, refundedCents: 4_900, refundReason: 'refund', fullyRefundedAt: AT.toISOString(), ...now };
    const row = { at: AT.toISOString(), actor: 'api', action: 'deducted', from: 'rejected', to: 'rejected' };
    const commission = {
      ...rejected,
      platformFee: { ...rejected.platformFee, reducedCents: 172 },
      history: [...rejected.history, { ...row, amountCents: 0, reason: 'refund' }],
    };
    const skipped = { status: 'skipped', reason: 'commission rejected' };
    expect(refundOutcome(refundedSale, rejected, refundOf())).toEqual({
      ...skipped,
      after: { sale, commission, steps: [step] },
    });
    expect(refundOutcome({ ...SALE, refundedCents: 4_900 }, rejected, refundOf())).toEqual(skipped);
  });

  it('does not reduce the platform fee if the commission was rejected while a rule held it for review', () => {
    const rejected: SaleCommission = { ...COMMISSION, status: 'rejected', heldAt: AT.toISOString() };
    const { after } = refundOutcome(SALE, rejected, refundOf());
    expect(after!.commission).toBe(rejected);
    expect(after!.steps).toMatchObject([{ feeReductionCents: 0, whileHeld: true }]);
  });

  it('is stored with a sale that has no commission; repeated, it changes nothing', () => {
    const step = {
      reason: 'chargeback',
      createdAt: AT.toISOString(),
      amountCents: 100,
      refundedCents: 100,
      deductionCents: 0,
      feeReductionCents: 0,
    };
    const sale = { ...SALE, refundedCents: 100, refundReason: 'chargeback', ...now };
    const outcome = refundOutcome(SALE, undefined, refundOf(100, 'chargeback'));
    expect(outcome).toEqual({ status: 'noCommission', after: { sale, commission: undefined, steps: [step] } });
    expect(refundOutcome({ ...SALE, refundedCents: 100 }, undefined, refundOf(100))).toEqual({
      status: 'noCommission',
    });
  });
});

/** Applies refunds with each of these totals in turn. */
const apply = (amountCents: number, rate: number, totals: readonly number[]) => {
  let sale = recordedSale(amountCents, 'api');
  let commission = earnedCommission(sale, 'pending', rate);
  let takenCents = 0;
  for (const totalCents of totals) {
    const outcome = refundOutcome(sale, commission, refundOf(Math.min(totalCents, amountCents)));
    const stepCents = 'deductionCents' in outcome ? outcome.deductionCents : 0;
    expect(stepCents).toBeGreaterThanOrEqual(0);
    takenCents += stepCents;
    sale = outcome.after?.sale ?? sale;
    commission = outcome.after?.commission ?? commission;
  }
  return { sale, commission, takenCents };
};

const row = (action: AuditRow['action'], amountCents: number, changes: Partial<AuditRow> = {}): AuditRow => ({
  at: AT.toISOString(),
  actor: 'processor',
  action,
  from: 'paid',
  to: 'paid',
  amountCents,
  reason: 'refund',
  ...changes,
});

const times = (count: number, of: AuditRow) => Array.from({ length: count }, () => of);

describe('refunds in any sequence', () => {
  const amounts = fc.integer({ min: 1, max: 1_000_000 });
  const rates = fc.integer({ min: 1, max: 3_000_000 }).map((rate) => rate / 10_000);

  it('deduct as much as a single refund of their highest total, and never more than the commission', () => {
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

  it('keep the commission’s history at 200 rows by merging deductions, without changing the sum of its amounts', () => {
    const paid = { ...COMMISSION, status: 'paid', paidAt: AT.toISOString() } as const;
    let [sale, commission]: [typeof SALE, SaleCommission] = [SALE, paid];
    for (let totalCents = 1; totalCents < SALE.amountCents; totalCents++) {
      const reason = totalCents % 3 === 0 ? 'chargeback' : 'refund';
      const { after } = refundOutcome(sale, commission, refundOf(totalCents, reason));
      const before = commission.history;
      ({ sale, commission = commission } = after!);
      // A concurrent write is detected by the changed history.
      expect(commission.history).not.toEqual(before);
    }
    const whole = refundOutcome(sale, commission, refundOf()).after!.commission!;
    expect(whole.history).toHaveLength(200);
    const [created, ...rows] = whole.history;
    expect(created).toEqual(COMMISSION.history[0]);
    expect(rows.at(-1)).toMatchObject({ action: 'reversed', from: 'paid', to: 'reversed' });
    expect(rows.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(whole.amountCents);
  });

  describe('merge the oldest deductions in the commission’s history if it would exceed 200 rows; the history then', () => {
    const created = COMMISSION.history[0]!;
    /** The history after one more refund. */
    const historyAfter = (history: readonly AuditRow[]) => {
      const paid = { ...COMMISSION, status: 'paid', paidAt: AT.toISOString(), history } as const;
      return refundOutcome(SALE, paid, refundOf(100)).after!.commission!.history;
    };

    it.each<[string, AuditRow[], AuditRow]>([
      ['two restored amounts as one', [row('restored', -30), row('restored', -20)], row('restored', -50)],
      [
        'more deductions than restorations as one deduction',
        [row('restored', -20), row('deducted', 30)],
        row('deducted', 10),
      ],
      ['amounts that cancel out as a deduction of 0', [row('restored', -20), row('deducted', 20)], row('deducted', 0)],
      [
        'deductions with two different reasons as one without a reason',
        [row('deducted', 20), row('deducted', 30, { reason: 'chargeback' })],
        row('deducted', 50, { reason: null }),
      ],
    ])('has %s', (_, oldest, summed) => {
      const history = historyAfter([created, ...oldest, ...times(197, row('deducted', 1))]);
      expect(history).toHaveLength(200);
      expect(history.slice(0, 3)).toEqual([created, summed, row('deducted', 1)]);
    });

    it('still has payouts and changes of status as separate rows', () => {
      const kept = [
        row('adjusted', -20),
        row('deducted', 20),
        row('reversed', 960, { to: 'reversed' }),
        row('restored', -960, { from: 'reversed' }),
        row('adjusted', 960),
      ];
      const history = historyAfter([created, ...kept, ...times(194, row('deducted', 1))]);
      expect(history).toHaveLength(200);
      expect(history.slice(0, 7)).toEqual([created, ...kept, row('deducted', 2)]);
    });

    it('has more than 200 rows if no two rows can be merged, and the newest row is never merged', () => {
      const before = [created, ...times(198, row('adjusted', 1)), row('deducted', 1)];
      const history = historyAfter(before);
      expect(history).toHaveLength(201);
      expect(history.slice(0, 200)).toEqual(before);
    });
  });

  it('reverse the commission if they refund the whole sale', () => {
    fc.assert(
      fc.property(amounts, rates, fc.array(amounts), (amount, rate, totals) => {
        const { commission, takenCents } = apply(amount, rate, [...totals, amount]);
        expect(commission).toMatchObject({ status: 'reversed', refundState: 'full' });
        expect(takenCents).toBe(commission.amountCents);
      }),
    );
  });
});

describe('a commission that is created only after refunds of its sale were recorded', () => {
  const late = { actor: 'operator', at: AT } as const;

  it('is unchanged if its sale has no refunds', () => {
    expect(withRefunds(COMMISSION, SALE, [], late)).toEqual({ commission: COMMISSION, shares: [] });
  });

  it('has the same deductions as if it had existed before the refunds', () => {
    const totals = fc.uniqueArray(fc.integer({ min: 1, max: 4_900 }), { maxLength: 5 });
    const rates = fc.double({ min: 0.0001, max: 100, noNaN: true });
    fc.assert(
      fc.property(totals, rates, (unordered, rate) => {
        const made = earnedCommission(SALE, 'pending', rate);
        let [sale, inTime, steps] = [SALE, made, [] as RefundStep[]];
        for (const total of unordered.toSorted((a, b) => a - b)) {
          const { after } = refundOutcome(sale, inTime, refundOf(total));
          sale = after?.sale ?? sale;
          inTime = after?.commission ?? inTime;
          steps = [...(after?.steps ?? []), ...steps];
        }
        // The sale already has its total when the commission is created late; steps come in any order.
        const { commission, shares } = withRefunds(made, sale, steps, { actor: 'api', at: AT });
        expect(commission).toEqual(inTime);
        expect(shares).toEqual(
          steps.map(({ deductionCents, feeReductionCents }) => ({ deductionCents, feeReductionCents })),
        );
      }),
    );
  });

  it('has no deduction for a dispute that the brand won', () => {
    const disputed = { disputeId: 'dp_1', amountCents: 4_900 };
    const told: Reversal[] = [
      { kind: 'refund', chargeId: 'ch_1', totalCents: 1_000 },
      { kind: 'disputeOpened', ...disputed },
      { kind: 'disputeWon', ...disputed },
    ];
    const inTime = withReversals(SALE, COMMISSION, told, late);
    const { commission, shares } = withRefunds(COMMISSION, inTime.sale, inTime.steps, late);
    expect(commission).toEqual(inTime.commission);
    expect(shares.map(({ deductionCents }) => deductionCents)).toEqual([200, 780, -780]);
  });
});
