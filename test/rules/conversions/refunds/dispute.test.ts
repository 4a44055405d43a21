import { describe, expect, it } from 'vitest';
import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { refundOutcome, withReversals } from '#lib/service/conversions/refunds/refund.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { stepsOf, type Reversal } from '#lib/service/conversions/refunds/reversals.ts';
import {
  byApi,
  byProcessor,
  earnedCommission,
  endOf,
  PAID_AT,
  recordedSale,
  REVERSED_AT,
} from '#test/support/payments/refundable.ts';

describe('a dispute of a sale that the API or the processor also refunds', () => {
  it('has already deducted the whole sale, so a refund that the API sends during the dispute is deducted only after the brand has won', () => {
    const sale = recordedSale(4_900);
    const opened: Reversal = { kind: 'disputeOpened', disputeId: 'dp_1', amountCents: 4_900 };
    const disputed = withReversals(sale, earnedCommission(sale, 'approved'), [opened], byProcessor);
    expect(disputed.commission).toMatchObject({
      status: 'reversed',
      reversalReason: 'chargeback',
      reversedAt: REVERSED_AT,
    });
    const outcome = refundOutcome(disputed.sale, disputed.commission, {
      amountCents: 2_450,
      reason: 'refund',
      ...byApi,
    });
    expect(outcome).toMatchObject({ status: 'skipped', reason: 'already reversed', after: { steps: [] } });
    expect(outcome.after!.commission).toEqual(disputed.commission);
    const won = withReversals(
      outcome.after!.sale,
      outcome.after!.commission,
      [{ ...opened, kind: 'disputeWon' }],
      byProcessor,
    );
    expect(endOf(won)).toMatchObject({
      refundedCents: 2_450,
      refundReason: 'refund',
      status: 'approved',
      deductedCents: 490,
    });
    expect(won.commission?.history.map(({ action, from, to }) => [action, from, to])).toEqual([
      ['created', null, 'pending'],
      ['reversed', 'approved', 'reversed'],
      ['restored', 'reversed', 'approved'],
    ]);
  });

  it('whose refund the API reported as a chargeback still has the refund reason chargeback when the processor reports a higher refund', () => {
    const sale: Sale = { ...recordedSale(4_900), refundedCents: 1_000, refundReason: 'chargeback' };
    const after = withReversals(
      sale,
      undefined,
      [{ kind: 'refund', chargeId: 'ch_1', totalCents: 2_000 }],
      byProcessor,
    );
    expect(after.sale).toMatchObject({ refundedCents: 2_000, refundReason: 'chargeback' });
  });
});

describe('a paid commission whose sale is disputed', () => {
  const sale = recordedSale(4_900);
  const paid: SaleCommission = { ...earnedCommission(sale, 'paid'), paidAt: PAID_AT, paidOutCents: 980, payoutId: 1 };
  const opened: Reversal = { kind: 'disputeOpened', disputeId: 'dp_1', amountCents: 4_900 };
  const won: Reversal = { ...opened, kind: 'disputeWon' };

  it('needs review during the dispute, and no longer after the brand wins it', () => {
    const disputed = withReversals(sale, paid, [opened], byProcessor);
    expect(disputed.commission).toMatchObject({ status: 'reversed', needsReview: true });
    const restored = withReversals(disputed.sale, disputed.commission, [won], byProcessor);
    expect(restored.commission).toMatchObject({
      status: 'paid',
      needsReview: undefined,
      deductedCents: 0,
      paidOutCents: 980,
    });
    expect(restored.commission?.history.at(-1)).toMatchObject({
      action: 'restored',
      from: 'reversed',
      to: 'paid',
      amountCents: -980,
      reason: 'dispute_won',
    });
  });

  it('has the status paid again after a win, even if a payout deducted the disputed amount before', () => {
    const { sale: disputedSale, commission } = withReversals(sale, paid, [opened], byProcessor);
    const adjusted = {
      ...commission!.history.at(-1)!,
      action: 'adjusted',
      from: 'reversed',
      amountCents: -980,
    } as const;
    const settled = { ...commission!, paidOutCents: 0, history: [...commission!.history, adjusted] };
    expect(withReversals(disputedSale, settled, [won], byProcessor).commission).toMatchObject({ status: 'paid' });
  });

  it('still needs review after a win if a part of the sale is refunded', () => {
    const refund: Reversal = { kind: 'refund', chargeId: 'ch_1', totalCents: 2_450 };
    expect(withReversals(sale, paid, [refund, opened, won], byProcessor).commission).toMatchObject({
      status: 'paid',
      needsReview: true,
      deductedCents: 490,
    });
  });

  it('keeps the status paid if only a part of the sale was disputed, and a win undoes the deduction', () => {
    const part: Reversal = { ...opened, amountCents: 1_000 };
    const { commission, steps } = withReversals(sale, paid, [part, { ...part, kind: 'disputeWon' }], byProcessor);
    expect(steps.map(({ reason, amountCents, deductionCents }) => [reason, amountCents, deductionCents])).toEqual([
      ['chargeback', 1_000, 200],
      ['dispute_won', -1_000, -200],
    ]);
    expect(commission?.history.slice(1).map(({ action, from, to }) => [action, from, to])).toEqual([
      ['deducted', 'paid', 'paid'],
      ['restored', 'paid', 'paid'],
    ]);
  });
});

it('a reversed commission of zero cents is restored when its dispute is won', () => {
  const sale = recordedSale(4_900);
  const opened: Reversal = { kind: 'disputeOpened', disputeId: 'dp_1', amountCents: 4_900 };
  const none = earnedCommission(sale, 'pending', 0.0001);
  const { commission } = withReversals(sale, none, [opened, { ...opened, kind: 'disputeWon' }], byProcessor);
  expect(commission).toMatchObject({ status: 'pending', amountCents: 0 });
  expect(commission!.history.at(-1)).toMatchObject({ action: 'restored', from: 'reversed', to: 'pending' });
});

describe('a reversed commission whose history does not say which status it had before', () => {
  it('becomes pending when the dispute is won', () => {
    const sale = recordedSale(4_900);
    const opened: Reversal = { kind: 'disputeOpened', disputeId: 'dp_1', amountCents: 4_900 };
    const disputed = withReversals(sale, earnedCommission(sale), [opened], byProcessor);
    const forgetful = { ...disputed.commission!, history: [] };
    const won = withReversals(disputed.sale, forgetful, [{ ...opened, kind: 'disputeWon' }], byProcessor);
    expect(won.commission?.status).toBe('pending');
  });
});

describe('the steps that stepsOf gives for the next refund or dispute event of a sale', () => {
  const sale = recordedSale(4_900);
  const opened: Reversal = { kind: 'disputeOpened', disputeId: 'dp_1', amountCents: 1_000 };
  const won: Reversal = { ...opened, kind: 'disputeWon' };
  const refund: Reversal = { kind: 'refund', chargeId: 'ch_1', totalCents: 1_000 };
  const stateAfter = (...all: Reversal[]) =>
    all.reduce((state, reversal) => ({ ...state, ...stepsOf(state, reversal).at(-1)?.after }), sale);

  it.each<[string, Reversal[], Reversal, string[]]>([
    ['a refund', [], refund, ['refund']],
    ['a repeated refund', [refund], refund, []],
    ['a lower total than before', [refund], { ...refund, totalCents: 999 }, []],
    ['a higher total than before', [refund], { ...refund, totalCents: 1_001 }, ['refund']],
    ['a new dispute', [], opened, ['chargeback']],
    ['a repeated dispute', [opened], opened, []],
    ['a win', [opened], won, ['dispute_won']],
    ['a repeated win', [opened, won], won, []],
    ['a dispute that is already won', [opened, won], opened, []],
    ['a win before its dispute', [], won, ['dispute_won']],
    ['a repeated win before its dispute', [won], won, []],
    ['a dispute whose win was reported before it', [won], opened, ['chargeback', 'dispute_won']],
    ['a repeated dispute whose win was reported before it', [won, opened], opened, []],
  ])('name the reason of each change, and are none if nothing changes: %s', (_, before, reversal, reasons) => {
    expect(stepsOf(stateAfter(...before), reversal).map(({ reason }) => reason)).toEqual(reasons);
  });
});
