import { describe, expect, it } from 'vitest';
import { type Commission, commissionStatuses, newCommission } from '#lib/service/earnings/commissions/commission.ts';
import {
  approved,
  asReadAt,
  commissionMayBecome,
  isUnsettled,
  paidOut,
  rejected,
  statusAt,
} from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { termsOf } from '#test/support/payments/terms.ts';

const at = new Date('2026-11-20T15:00:00.000Z');
const actor = 'account:7';
const fresh = newCommission(
  {
    id: 1,
    saleId: 2,
    programId: 3,
    partnerId: 5,
    clickId: 'clk_1',
    transactionId: 'in_1',
    occurredAt: at.toISOString(),
    createdAt: at.toISOString(),
    actor: 'api',
  },
  termsOf({ commissionRate: 20, holdPeriodDays: 1 }),
  { amountCents: 1000, currency: 'USD', isRecurring: false, paidAt: at },
);
const over = new Date('2026-11-21T15:00:00.000Z');
const byItself = { autoApprove: true };
const byHand = { autoApprove: false };

describe('the status of a commission', () => {
  it.each([
    [byItself, new Date(over.getTime() - 1), 'pending'],
    [byItself, over, 'approved'],
    [byHand, new Date('2099-01-01'), 'pending'],
  ])('that is stored as pending, in a program with %j, is read at %s as %s', (program, now, status) => {
    expect(statusAt(fresh, program, now)).toBe(status);
  });

  it.each(commissionStatuses.filter((status) => status !== 'pending'))(
    'does not change over time if it is %s',
    (status) => {
      const commission = { ...fresh, status };
      expect(asReadAt(commission, byItself, over)).toBe(commission);
    },
  );
});

const changes = {
  approved: (commission: Commission) => approved(commission, { actor, at }),
  rejected: (commission: Commission) => rejected(commission, 'why', { actor, at }),
};

describe.each(['approved', 'rejected'] as const)('the commission status %s', (to) => {
  const mayBecome: readonly string[] = commissionMayBecome[to];

  it.each(commissionStatuses.filter((from) => mayBecome.includes(from)))('can follow the status %s', (from) => {
    const change = changes[to]({ ...fresh, status: from });
    expect(change).toMatchObject({ status: to, history: [{}, { action: to, from, to, actor }] });
  });

  it.each(commissionStatuses.filter((from) => !mayBecome.includes(from)))('cannot follow the status %s', (from) => {
    expect(() => changes[to]({ ...fresh, status: from })).toThrow(
      `Commission status cannot be changed to ${to}. Current status: ${from}`,
    );
  });
});

it('a commission is unsettled while it can still be paid, while a deduction must be withheld, or while it needs review', () => {
  const approvedOne = approved(fresh, { actor, at });
  const paid = paidOut(approvedOne, 9, { actor, at });
  const reduced = { ...paid, deductedCents: 50, needsReview: true };
  const reversed: Commission = { ...paid, status: 'reversed', deductedCents: 200, needsReview: true };
  const unreviewed = { ...paid, needsReview: true };
  for (const open of [fresh, approvedOne, reduced, reversed, unreviewed]) expect(isUnsettled(open)).toBe(true);
  const settled = [
    paid,
    rejected(fresh, 'why', { actor, at }),
    { ...fresh, status: 'reversed', deductedCents: 200 } as const,
    paidOut(reversed, 10, { actor, at }),
    paidOut(reduced, 10, { actor, at }),
  ];
  for (const closed of settled) expect(isUnsettled(closed)).toBe(false);
});
