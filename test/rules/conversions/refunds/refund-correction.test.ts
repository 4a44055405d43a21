import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NamedRefund } from '#lib/service/conversions/refunds/api-refunds.ts';
import type { RefundReason, SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import { type Refund, type Refunded, refundOutcome, withReversals } from '#lib/service/conversions/refunds/refund.ts';
import type { RefundStep } from '#lib/service/conversions/refunds/refunded-commission.ts';
import { type Reversal, withRestoredTotal } from '#lib/service/conversions/refunds/reversals.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { momentsAfter } from '#test/support/table/moments.ts';
import {
  byApi,
  byProcessor,
  earnedCommission,
  endOf,
  recordedSale,
  REVERSED_AT,
} from '#test/support/payments/refundable.ts';

// In these tests, a sale of 4900 pays 980 at 20 percent; its platform fee is 172.

type Call = Partial<Pick<Refund, 'amountCents' | 'refundId' | 'isCorrection' | 'reason'>>;

/** A sale with its named refunds, as stored by the service. */
class RefundedSale {
  sale: Sale;
  commission: SaleCommission | undefined;
  readonly steps: RefundStep[] = [];
  readonly named = new Map<string, NamedRefund>();

  constructor(amountCents: number, commission: (sale: Sale) => SaleCommission | undefined) {
    this.sale = recordedSale(amountCents, 'api');
    this.commission = commission(this.sale);
  }

  told(call: Call) {
    const { refundId, reason = 'refund' } = call;
    const recorded = refundId === undefined ? undefined : this.named.get(refundId);
    const outcome = refundOutcome(this.sale, this.commission, { ...byApi, ...call, reason, recorded });
    if (outcome.after) {
      this.#become(outcome.after);
      if (refundId !== undefined) this.named.set(refundId, { amountCents: call.amountCents!, reason });
    }
    const { after, ...answer } = outcome;
    return { ...answer, isStored: after !== undefined };
  }

  report(reversal: Reversal) {
    this.#become(withReversals(this.sale, this.commission, [reversal], byProcessor));
  }

  #become({ sale, commission, steps }: Refunded) {
    this.sale = sale;
    this.commission = commission;
    this.steps.push(...steps);
  }
}

const saleOf4900 = (status: SaleCommission['status'] = 'approved') =>
  new RefundedSale(4_900, (sale) => earnedCommission(sale, status));

const changed = (status: 'refunded' | 'reversed' | 'corrected', refundedCents: number, deductionCents: number) => ({
  status,
  refundedCents,
  deductionCents,
  isStored: true,
});
const skipped = (reason: string, isStored: boolean) => ({ status: 'skipped', reason, isStored });

describe('refunds sent with a refund_id', () => {
  it('are each deducted once, and together deduct at most the amount of the sale', () => {
    const one = saleOf4900();
    expect(one.told({ refundId: 'a', amountCents: 1_000 })).toEqual(changed('refunded', 1_000, 200));
    expect(one.told({ refundId: 'a', amountCents: 1_000 })).toEqual(skipped('already refunded', false));
    expect(one.told({ refundId: 'b', amountCents: 1_000 })).toEqual(changed('refunded', 2_000, 200));
    expect(one.told({ refundId: 'c', amountCents: 4_900 })).toEqual(changed('reversed', 4_900, 580));
    expect(one.told({ refundId: 'c', amountCents: 4_900 })).toEqual(skipped('already refunded', false));
    // The refund's id is stored, although nothing is left to deduct.
    expect(one.told({ refundId: 'd', amountCents: 10 })).toEqual(skipped('already reversed', true));
    expect(one.told({ refundId: 'c', amountCents: 0, isCorrection: true })).toEqual(changed('corrected', 2_010, -578));
  });

  it('are refused if the same refund_id was recorded with another amount, unless sent as a correction', () => {
    const one = saleOf4900();
    one.told({ refundId: 'a', amountCents: 1_000 });
    expect(() => one.told({ refundId: 'a', amountCents: 900 })).toThrow(
      'refund_id a is recorded with 1000. Send correction: true to change it.',
    );
    expect(one.told({ refundId: 'a', amountCents: 900, isCorrection: true })).toEqual(changed('corrected', 900, -20));
    expect(one.told({ refundId: 'a', amountCents: 1_900, isCorrection: true })).toEqual(
      changed('refunded', 1_900, 200),
    );
    expect(one.steps.map(({ reason, amountCents }) => [reason, amountCents])).toEqual([
      ['refund', 1_000],
      ['correction', -100],
      ['refund', 1_000],
    ]);
  });

  it.each([{ refundId: 'a' }, {}, { isCorrection: true }])(
    'are refused if they exceed the amount of the sale, with or without refund_id: %o',
    (call) => {
      expect(() => saleOf4900().told({ ...call, amountCents: 4_901 })).toThrow(
        'refund_amount_cents must be at most the amount of the sale, 4900',
      );
    },
  );

  it('are deducted by their sum if it is higher than the refund total sent without a refund_id', () => {
    const one = saleOf4900();
    one.told({ amountCents: 1_500 });
    expect(one.told({ refundId: 'a', amountCents: 1_000 })).toEqual(skipped('already refunded', true));
    expect(one.told({ refundId: 'b', amountCents: 1_000 })).toEqual(changed('refunded', 2_000, 100));
    // This total is below the sum of the refunds with ids, and counts once these are corrected.
    expect(one.told({ amountCents: 1_800 })).toEqual(skipped('already refunded', true));
    expect(one.told({ refundId: 'b', amountCents: 0, isCorrection: true })).toEqual(changed('corrected', 1_800, -40));
  });
});

describe('a correction that sets the refunds of a sale to a lower amount', () => {
  it('undoes a full refund and gives the commission its former status', () => {
    const one = saleOf4900();
    one.told({});
    expect(one.told({ amountCents: 0, isCorrection: true })).toEqual(changed('corrected', 0, -980));
    expect(one.told({ amountCents: 0, isCorrection: true })).toEqual(skipped('already refunded', false));
    expect(one.sale).toEqual({
      ...recordedSale(4_900, 'api'),
      refundedCents: 0,
      reversals: { apiCents: 0, charges: {}, disputes: {} },
      changedAt: momentsAfter(new Date(REVERSED_AT), 1),
    });
    expect(one.commission).toMatchObject({
      status: 'approved',
      deductedCents: 0,
      refundState: 'none',
      reversalReason: undefined,
      reversedAt: undefined,
      platformFee: { amountCents: 172, reducedCents: 0 },
    });
    expect(one.commission!.history.at(-1)).toEqual({
      at: momentsAfter(new Date(REVERSED_AT), 1),
      actor: 'api',
      action: 'corrected',
      from: 'reversed',
      to: 'approved',
      amountCents: -980,
      reason: 'correction',
    });
    expect(one.told({})).toEqual(changed('reversed', 4_900, 980));
  });

  it('makes a reversed commission paid again, and marks it for review if a payout has deducted its whole amount', () => {
    const paid = { paidAt: REVERSED_AT, paidOutCents: 980, payoutId: 1 };
    const one = new RefundedSale(4_900, (sale) => ({ ...earnedCommission(sale, 'paid'), ...paid }));
    one.told({});
    expect(one.commission).toMatchObject({ status: 'reversed', needsReview: true });
    // In between, a payout has withheld the whole amount.
    one.commission = { ...one.commission!, paidOutCents: 0 };
    one.told({ amountCents: 2_450, isCorrection: true });
    expect(one.commission).toMatchObject({ status: 'paid', deductedCents: 490, paidOutCents: 0, needsReview: true });
  });

  it('keeps the known refund ids if it sets a total, and later refunds add to the corrected total', () => {
    const one = saleOf4900();
    one.told({ refundId: 'a', amountCents: 1_000 });
    one.told({ refundId: 'b', amountCents: 2_000 });
    expect(one.told({ amountCents: 1_000, isCorrection: true })).toEqual(changed('corrected', 1_000, -400));
    expect(one.told({ refundId: 'b', amountCents: 2_000 })).toEqual(skipped('already refunded', false));
    // The correction of the total has already restored this refund.
    expect(one.told({ refundId: 'b', amountCents: 0, isCorrection: true })).toEqual(skipped('already refunded', true));
    expect(one.told({ refundId: 'c', amountCents: 500 })).toEqual(changed('refunded', 1_500, 100));
    expect(one.told({ refundId: 'a', amountCents: 0, isCorrection: true })).toEqual(changed('corrected', 500, -200));
  });

  it.each<[string, Reversal, number]>([
    ['refund', { kind: 'refund', chargeId: 'ch_1', totalCents: 2_450 }, 2_450],
    ['open dispute', { kind: 'disputeOpened', disputeId: 'dp_1', amountCents: 4_900 }, 4_900],
  ])('does not reduce the %s that the processor reported', (_, reversal, leftCents) => {
    const one = saleOf4900();
    one.told({ amountCents: 2_450 });
    one.report(reversal);
    const call = { amountCents: 0, isCorrection: true };
    expect(one.told(call)).toEqual(skipped('reported by the processor', true));
    expect(one.told(call)).toEqual(skipped('reported by the processor', false));
    expect(one.sale.refundedCents).toBe(leftCents);
  });

  it('cannot set the refunds below the amount that the processor reported', () => {
    const one = saleOf4900();
    one.told({ amountCents: 2_450 });
    one.report({ kind: 'refund', chargeId: 'ch_1', totalCents: 1_000 });
    expect(one.told({ amountCents: 0, isCorrection: true })).toEqual(changed('corrected', 1_000, -290));
  });

  it('restores the platform fee, but no commission, if the sale has no commission or a rejected one', () => {
    const none = new RefundedSale(4_900, () => undefined);
    none.told({});
    expect(none.told({ amountCents: 900, isCorrection: true })).toEqual({ status: 'noCommission', isStored: true });
    expect(none.sale.refundedCents).toBe(900);
    const rejected = saleOf4900('rejected');
    const before = rejected.commission!;
    rejected.told({});
    expect(rejected.told({ amountCents: 900, isCorrection: true })).toEqual(skipped('commission rejected', true));
    expect(rejected.sale.refundedCents).toBe(900);
    const row = { actor: 'api', from: 'rejected', to: 'rejected', amountCents: 0 } as const;
    expect(rejected.commission).toEqual({
      ...before,
      platformFee: { ...before.platformFee, reducedCents: 32 },
      history: [
        ...before.history,
        { ...row, at: REVERSED_AT, action: 'deducted', reason: 'refund' },
        { ...row, at: momentsAfter(new Date(REVERSED_AT), 1), action: 'corrected', reason: 'correction' },
      ],
    });
  });

  it('changes the refund reason from chargeback to refund if it sets the chargeback to 0, but not if it corrects another refund', () => {
    const one = saleOf4900();
    one.told({ refundId: 'a', amountCents: 1_000 });
    one.told({ refundId: 'dp', amountCents: 2_000, reason: 'chargeback' });
    one.told({ refundId: 'a', amountCents: 900, isCorrection: true });
    expect(one.sale).toMatchObject({ refundedCents: 2_900, refundReason: 'chargeback' });
    expect(one.told({ refundId: 'dp', amountCents: 0, isCorrection: true })).toEqual(changed('corrected', 900, -400));
    expect(one.sale).toMatchObject({ refundedCents: 900, refundReason: 'refund' });
    one.told({ amountCents: 0, isCorrection: true });
    expect(one.sale.refundReason).toBeUndefined();
  });

  it('can be repeated a thousand times, and the commission’s history has at most 200 rows', () => {
    const one = saleOf4900();
    for (let at = 0; at < 1_000; at++) {
      one.told({});
      one.told({ amountCents: 0, isCorrection: true });
    }
    const { history, ...commission } = one.commission!;
    expect(history).toHaveLength(200);
    expect(commission).toMatchObject({ status: 'approved', deductedCents: 0 });
    // The sum equals the amount at the creation.
    expect(sumOf(history.map(({ amountCents }) => amountCents))).toBe(980);
  });
});

describe('any sequence of refunds, corrections and reports by the processor', () => {
  const names = fc.constantFrom('a', 'b', 'c', undefined);
  const reasons = fc.constantFrom<RefundReason>('refund', 'chargeback');
  const shares = fc.integer({ min: 0, max: 100 });
  const calls = fc.record({ refundId: names, isCorrection: fc.boolean(), reason: reasons, share: shares });
  const reports = fc.record({
    kind: fc.constantFrom('refund', 'disputeOpened', 'disputeWon'),
    source: fc.constantFrom('1', '2'),
    share: fc.integer({ min: 1, max: 100 }),
  });
  const statuses = fc.constantFrom<SaleCommission['status']>('held', 'pending', 'approved', 'paid');

  const reversalOf = (
    { kind, source, share }: typeof reports extends fc.Arbitrary<infer T> ? T : never,
    of: number,
  ) => {
    // All events of a dispute have the same amount.
    const amountCents = Math.ceil((of * (kind === 'refund' ? share : 40)) / 100);
    return kind === 'refund'
      ? ({ kind, chargeId: `ch_${source}`, totalCents: amountCents } as const)
      : ({ kind: kind as 'disputeOpened', disputeId: `dp_${source}`, amountCents } as const);
  };

  it('ends with the deduction, fee and status that the remaining refunds alone give; the amounts of its steps add up to them', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 1_000_000 }).map((rate) => rate / 10_000),
        statuses,
        fc.array(fc.oneof({ weight: 3, arbitrary: calls }, reports), { maxLength: 12 }),
        (amount, rate, status, commands) => {
          const one = new RefundedSale(amount, (sale) => earnedCommission(sale, status, rate));
          const earned = one.commission!;
          for (const command of commands) {
            if ('kind' in command) {
              one.report(reversalOf(command, amount));
              continue;
            }
            const { share, isCorrection, ...call } = command;
            const amountCents = Math.max(Math.floor((amount * share) / 100), isCorrection ? 0 : 1);
            const isOther = call.refundId !== undefined && one.named.get(call.refundId)?.amountCents !== amountCents;
            if (isOther && one.named.has(call.refundId!) && !isCorrection) continue;
            one.told({ ...call, amountCents, isCorrection });

            const { refundedCents, refundReason, fullyRefundedAt } = one.sale;
            const fresh = new RefundedSale(amount, () => earned);
            if (refundedCents > 0) fresh.told({ amountCents: refundedCents, reason: refundReason! });
            const expected = fresh.commission!;
            expect(endOf(one)).toEqual(endOf(fresh));
            expect(refundReason === undefined).toBe(refundedCents === 0);
            expect(fullyRefundedAt !== undefined).toBe(refundedCents === amount);
            expect(sumOf(one.steps.map((step) => step.amountCents))).toBe(refundedCents);
            expect(sumOf(one.steps.map((step) => step.deductionCents))).toBe(expected.deductedCents);
            expect(sumOf(one.steps.map((step) => step.feeReductionCents))).toBe(expected.platformFee.reducedCents);
          }
        },
      ),
    );
  });

  it('deducts the highest total or the sum of refunds with a refund_id, whichever is greater, as long as no total is corrected', () => {
    const told = calls.filter(({ refundId, isCorrection }) => refundId !== undefined || !isCorrection);
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 10_000 }), fc.array(told, { maxLength: 12 }), (amount, commands) => {
        const one = saleOf(amount);
        let highest = 0;
        const named = new Map<string, number>();
        for (const { share, isCorrection, refundId, reason } of commands) {
          const amountCents = Math.max(Math.floor((amount * share) / 100), isCorrection ? 0 : 1);
          if (refundId === undefined) highest = Math.max(highest, amountCents);
          else if (isCorrection || !named.has(refundId)) named.set(refundId, amountCents);
          else if (named.get(refundId) !== amountCents) continue;
          one.told({ amountCents, refundId, isCorrection, reason });
          expect(one.sale.refundedCents).toBe(Math.min(amount, Math.max(highest, sumOf([...named.values()]))));
        }
      }),
    );
  });
});

const saleOf = (amount: number) => new RefundedSale(amount, (sale) => earnedCommission(sale));

describe('withRestoredTotal, which compares a sale’s refund total with the sum of its stored refunds,', () => {
  const told = { charges: { ch_1: 2_000 }, disputes: {} };
  const partial = { refundedCents: 1_000, refundReason: 'refund' } as const;

  it.each<[string, Partial<Sale>, { namedCents: number; totalCents: number }, object | undefined]>([
    ['nothing if the two agree', partial, { namedCents: 0, totalCents: 1_000 }, undefined],
    ['a higher total', partial, { namedCents: 0, totalCents: 1_500 }, { refundedCents: 1_500, refundReason: 'refund' }],
    [
      'a total of 0',
      partial,
      { namedCents: 0, totalCents: 0 },
      { refundedCents: 0, refundReason: undefined, reversals: { apiCents: 0, charges: {}, disputes: {} } },
    ],
    [
      'the sum of refunds with a refund_id after a correction of some',
      { ...partial, reversals: { apiCents: 0, namedCents: 1_000, charges: {}, disputes: {} } },
      { namedCents: 1_200, totalCents: 1_000 },
      {
        ...partial,
        reversals: { apiCents: 0, namedCents: 1_200, takenBackCents: 200, charges: {}, disputes: {} },
      },
    ],
    [
      'the sum together with the processor’s amount',
      { refundedCents: 2_000, refundReason: 'refund', reversals: { apiCents: 500, ...told } },
      { namedCents: 400, totalCents: 2_000 },
      { refundedCents: 2_000, refundReason: 'refund', reversals: { apiCents: 500, namedCents: 400, ...told } },
    ],
  ])('gives the sale %s', (_, changes, found, restored) => {
    expect(withRestoredTotal({ ...recordedSale(4_900), ...changes }, found, 'refund')).toEqual(restored);
  });
});
