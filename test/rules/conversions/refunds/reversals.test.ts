import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommissionStatus } from '#lib/service/earnings/commissions/commission.ts';
import {
  asDuplicate,
  refundOutcome,
  type Refunded,
  withReversals,
  withReversalsOf,
} from '#lib/service/conversions/refunds/refund.ts';
import { type Reversal, reportedReversalsOf } from '#lib/service/conversions/refunds/reversals.ts';
import { withWaiting } from '#lib/service/conversions/refunds/waiting-reversals.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { byApi, byProcessor, earnedCommission, endOf, recordedSale } from '#test/support/payments/refundable.ts';

const amounts = fc.integer({ min: 1, max: 100_000 });
const rates = fc.integer({ min: 1, max: 1_500_000 }).map((rate) => rate / 10_000);
const statuses = fc.constantFrom<CommissionStatus>('pending', 'approved', 'paid', 'rejected');

const refunds = fc.record({
  kind: fc.constant('refund' as const),
  chargeId: fc.constantFrom('ch_1', 'ch_2'),
  totalCents: fc.integer({ min: 1, max: 120_000 }),
});

/** Disputes, each with the same amount in all of its events. */
const disputes = fc
  .array(amounts, { maxLength: 3 })
  .chain((each) =>
    fc.subarray(
      each.flatMap((amountCents, index): Reversal[] =>
        (['disputeOpened', 'disputeWon'] as const).map((kind) => ({ kind, disputeId: `dp_${index}`, amountCents })),
      ),
    ),
  );

const reversals = fc
  .tuple(fc.array(refunds, { maxLength: 4 }), disputes)
  .map(([all, more]): Reversal[] => [...all, ...more]);

/** The same reversals in two orders, some of them repeated in the second. */
const twoOrders = reversals.chain((all) =>
  fc.record({
    one: fc.shuffledSubarray(all, { minLength: all.length }),
    other: fc.tuple(fc.constant(all), fc.subarray(all)).chain(([each, again]) => {
      const repeated = [...each, ...again];
      return fc.shuffledSubarray(repeated, { minLength: repeated.length });
    }),
  }),
);

/** The result without times, because one order can take more steps than another, each later than the previous one. */
const timeless = ({ sale }: Refunded) => ({
  ...sale,
  changedAt: undefined,
  fullyRefundedAt: sale.fullyRefundedAt !== undefined,
});

describe('a sequence of refunds and disputes', () => {
  it('has the same result in any order and with any repetition', () => {
    fc.assert(
      fc.property(amounts, rates, statuses, twoOrders, (amount, rate, status, { one, other }) => {
        const sale = recordedSale(amount);
        const commission = earnedCommission(sale, status, rate);
        const [first, second] = [one, other].map((order) => withReversals(sale, commission, order, byProcessor));
        expect(endOf(second!)).toEqual(endOf(first!));
        expect(timeless(second!)).toEqual(timeless(first!));
      }),
    );
  });

  it('has the same result if all are applied in one call as one by one', () => {
    fc.assert(
      fc.property(amounts, rates, reversals, (amount, rate, all) => {
        const sale = recordedSale(amount);
        const commission = earnedCommission(sale, 'approved', rate);
        let state: Refunded = { sale, commission, steps: [] };
        for (const reversal of all) state = withReversals(state.sale, state.commission, [reversal], byProcessor);
        expect(endOf(state)).toEqual(endOf(withReversals(sale, commission, all, byProcessor)));
      }),
    );
  });

  it('never deducts more than the sale, the commission or the fee, and the amounts of its steps add up to the deductions', () => {
    fc.assert(
      fc.property(amounts, rates, reversals, (amount, rate, all) => {
        const sale = recordedSale(amount);
        const {
          steps,
          sale: after,
          commission,
        } = withReversals(sale, earnedCommission(sale, 'paid', rate), all, byProcessor);
        expect(after.refundedCents).toBeGreaterThanOrEqual(0);
        expect(after.refundedCents).toBeLessThanOrEqual(amount);
        expect(commission!.deductedCents).toBeLessThanOrEqual(commission!.amountCents);
        const sum = (part: 'amountCents' | 'deductionCents' | 'feeReductionCents') =>
          steps.reduce((total, step) => total + step[part], 0);
        expect(sum('amountCents')).toBe(after.refundedCents);
        expect(sum('deductionCents')).toBe(commission!.deductedCents);
        expect(sum('feeReductionCents')).toBe(commission!.platformFee.reducedCents);
        expect(steps.at(-1)?.refundedCents ?? 0).toBe(after.refundedCents);
      }),
    );
  });

  it('has the same result as its refunds alone if the brand wins every dispute, which leaves the commission’s status unchanged', () => {
    fc.assert(
      fc.property(
        amounts,
        rates,
        statuses,
        fc.array(refunds, { maxLength: 3 }),
        fc.array(amounts, { maxLength: 3 }),
        (amount, rate, status, refunded, disputed) => {
          const sale = recordedSale(amount);
          const commission = earnedCommission(sale, status, rate);
          const all = disputed.flatMap((amountCents, index): Reversal[] => [
            { kind: 'disputeOpened', disputeId: `dp_${index}`, amountCents },
            { kind: 'disputeWon', disputeId: `dp_${index}`, amountCents },
          ]);
          const without = endOf(withReversals(sale, commission, refunded, byProcessor));
          const withDisputes = endOf(withReversals(sale, commission, [...all, ...refunded], byProcessor));
          expect(withDisputes).toEqual(without);
          const isWhole = without.refundedCents === amount && status !== 'rejected';
          expect(withDisputes.status).toBe(isWhole ? 'reversed' : status);
        },
      ),
    );
  });
});

describe('refunds and disputes that are reported before their sale and wait for it', () => {
  it('give the same result as if the sale had been reported first, and at most eight of them are stored', () => {
    fc.assert(
      fc.property(amounts, rates, twoOrders, (amount, rate, { other }) => {
        const sale = recordedSale(amount);
        const commission = earnedCommission(sale, 'approved', rate);
        const waiting = other.reduce<readonly Reversal[]>(withWaiting, []);
        expect(endOf(withReversals(sale, commission, waiting, byProcessor))).toEqual(
          endOf(withReversals(sale, commission, other, byProcessor)),
        );
        expect(waiting.length).toBeLessThanOrEqual(2 + 3 * 2);
      }),
    );
  });
});

describe('refunds and disputes reported by the processor, together with refunds sent by the API', () => {
  it('deduct the higher of the two totals, in any order of the reports', () => {
    const commands = fc.array(
      fc.oneof(
        reversals.map((all) => ({ all })),
        fc.integer({ min: 1, max: 100_000 }).map((apiCents) => ({ apiCents })),
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(amounts, commands, fc.infiniteStream(fc.nat()), (amount, told, randoms) => {
        const play = (order: typeof told) => {
          let state: Pick<Refunded, 'sale' | 'commission'> = {
            sale: recordedSale(amount),
            commission: earnedCommission(recordedSale(amount)),
          };
          for (const command of order) {
            if ('all' in command) state = withReversals(state.sale, state.commission, command.all, byProcessor);
            else {
              const refund = { amountCents: Math.min(command.apiCents, amount), reason: 'refund', ...byApi } as const;
              state = refundOutcome(state.sale, state.commission, refund).after ?? state;
            }
          }
          return endOf(state);
        };
        const shuffled = told
          .map((command) => ({ command, at: randoms.next().value! }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ command }) => command);
        expect(play(shuffled)).toEqual(play(told));
      }),
    );
  });
});

describe('a sale that was recognised as a duplicate of another sale', () => {
  it('has a remaining amount of 0 after any refunds and disputes', () => {
    const { sale: duplicate } = asDuplicate({ sale: recordedSale(500), commission: undefined }, 'pi_1', byApi);
    const told: Reversal[] = [
      { kind: 'refund', chargeId: 'ch_1', totalCents: 200 },
      { kind: 'disputeOpened', disputeId: 'dp_1', amountCents: 300 },
      { kind: 'disputeWon', disputeId: 'dp_1', amountCents: 300 },
    ];
    const { sale, commission, steps } = withReversals(duplicate, undefined, told, byProcessor);
    expect({ sale, commission, steps }).toEqual({
      sale: {
        ...duplicate,
        reversals: { apiCents: 500, charges: { ch_1: 200 }, disputes: { dp_1: { amountCents: 300, state: 'won' } } },
      },
      commission: undefined,
      steps: [],
    });
  });
});

describe('reportedReversalsOf, which reads the refunds and disputes stored with a sale,', () => {
  const inDollars = { currency: 'USD', chargeCents: 500 };
  it('returns the events that lead to each dispute’s state: open, won, or won before its opening was reported', () => {
    expect(
      reportedReversalsOf({
        ...recordedSale(500),
        refundedCents: 0,
        reversals: {
          apiCents: 0,
          charges: { ch_1: 400 },
          disputes: {
            dp_open: { amountCents: 100, state: 'open' },
            dp_won: { amountCents: 200, state: 'won' },
            dp_early: { amountCents: 300, state: 'wonEarly' },
          },
        },
      }),
    ).toEqual([
      { kind: 'refund', chargeId: 'ch_1', totalCents: 400, ...inDollars },
      { kind: 'disputeOpened', disputeId: 'dp_open', amountCents: 100, ...inDollars },
      { kind: 'disputeOpened', disputeId: 'dp_won', amountCents: 200, ...inDollars },
      { kind: 'disputeWon', disputeId: 'dp_won', amountCents: 200, ...inDollars },
      { kind: 'disputeWon', disputeId: 'dp_early', amountCents: 300, ...inDollars },
    ]);
  });

  it('returns nothing for a sale without refunds and disputes', () => {
    expect(reportedReversalsOf(recordedSale(500))).toEqual([]);
  });
});

const opened = (amountCents: number, more: object): Reversal => ({
  kind: 'disputeOpened',
  disputeId: 'dp_1',
  amountCents,
  ...more,
});

describe('a refund or dispute in another currency than its sale', () => {
  const inPounds = { currency: 'GBP', chargeCents: 13_000 };
  const refund = (totalCents: number, more: object = inPounds): Reversal => ({
    kind: 'refund',
    chargeId: 'ch_1',
    totalCents,
    ...more,
  });

  it.each<[string, Reversal[], number]>([
    ['deducts its share of the charge', [refund(6_500)], 2_450],
    ['rounds the share half up', [refund(4_333)], 1_633],
    ['deducts the whole sale for the whole charge', [refund(13_000)], 4_900],
    ['deducts no more than the whole sale', [refund(20_000)], 4_900],
    ['deducts nothing for repeated totals', [refund(6_500), refund(6_500), refund(6_499)], 2_450],
    ['deducts the whole sale if the charge is unknown', [refund(1, { currency: 'GBP' })], 4_900],
    ['deducts the whole sale for a dispute without its charge', [opened(13_000, { currency: 'GBP' })], 4_900],
    ['deducts the share for a dispute with its charge', [opened(1_300, inPounds)], 490],
    ['deducts the same amount if the currencies are equal', [refund(3_000, { ...inPounds, currency: 'USD' })], 3_000],
  ])('%s', (_, told, refundedCents) => {
    expect(withReversals(recordedSale(4_900), undefined, told, byProcessor).sale).toMatchObject({ refundedCents });
  });

  it('is deducted in the same proportion from the sale that counts if it is reported for a duplicate of that sale', () => {
    const kept = { sale: recordedSale(4_900), commission: undefined };
    const duplicate: Sale = { ...recordedSale(13_000), currency: 'GBP' };
    const byCall = { ...duplicate, refundedCents: 6_500, refundReason: 'refund' } as const;
    const told = withReversals(duplicate, undefined, [refund(6_500)], byProcessor).sale;
    for (const one of [byCall, told]) {
      expect(withReversalsOf(kept, one, 0, byProcessor).sale).toMatchObject({ refundedCents: 2_450 });
    }
  });

  it('is converted together with a correction if refunds with ids of a duplicate move to the sale that counts', () => {
    const kept = { sale: recordedSale(4_900), commission: undefined };
    const stored = { apiCents: 0, namedCents: 6_500, takenBackCents: 1_300, charges: {}, disputes: {} };
    const refunded = { refundedCents: 5_200, refundReason: 'chargeback', reversals: stored } as const;
    const duplicate: Sale = { ...recordedSale(13_000), currency: 'GBP', ...refunded };
    expect(withReversalsOf(kept, duplicate, 2_450, byProcessor).sale).toMatchObject({
      refundedCents: 1_960,
      refundReason: 'chargeback',
      reversals: { apiCents: 0, namedCents: 2_450, takenBackCents: 490 },
    });
  });

  it('keeps the reason of the sale that counts if refunds of a duplicate do not change the refunded total', () => {
    const sale: Sale = { ...recordedSale(4_900), refundedCents: 3_000, refundReason: 'chargeback' };
    const stored = { apiCents: 0, namedCents: 500, charges: {}, disputes: {} };
    const duplicate: Sale = { ...recordedSale(4_900), refundedCents: 500, refundReason: 'refund', reversals: stored };
    const after = withReversalsOf({ sale, commission: undefined }, duplicate, 500, byProcessor);
    expect(after.steps).toEqual([]);
    expect(after.sale).toMatchObject({
      refundedCents: 3_000,
      refundReason: 'chargeback',
      reversals: { apiCents: 3_000, namedCents: 500 },
    });
  });
});
