import { describe, expect, it } from 'vitest';
import { approved, rejected, released } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { refundOutcome } from '#lib/service/conversions/refunds/refund.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { versionAfter } from '#lib/service/conversions/sales/sale-version.ts';
import { timeAfter, versionOf } from '#lib/service/ground/changes/versions.ts';
import { earnedCommission, recordedSale } from '#test/support/payments/refundable.ts';

const AT = '2026-11-25T00:00:00.000Z';
const LATER = '2026-11-25T00:00:00.001Z';

it.each([
  [AT, undefined, AT],
  [LATER, AT, LATER],
  [AT, AT, LATER],
  [AT, '2026-11-26T00:00:00.000Z', '2026-11-26T00:00:00.001Z'],
])('a change at %s of an item whose latest change was at %s is stored with the time %s', (now, before, at) => {
  expect(timeAfter(new Date(now), undefined, before).toISOString()).toBe(at);
});

describe('several changes in one millisecond are stored with increasing times', () => {
  const change = { actor: 'api', at: new Date(AT) } as const;
  const sale = recordedSale(4_900, 'api');
  const commission = earnedCommission(sale);
  const created = { ...commission, history: commission.history.map((row) => ({ ...row, at: AT })) };

  it('if they are changes of one commission', () => {
    expect(approved(created, change)).toMatchObject({ approvedAt: LATER, history: [{ at: AT }, { at: LATER }] });
    expect(rejected(created, 'No', change)).toMatchObject({ history: [{ at: AT }, { at: LATER }] });
    const held = { ...created, status: 'held', heldAt: AT } as const;
    expect(released(held, change)).toMatchObject({ releasedAt: LATER, history: [{ at: AT }, { at: LATER }] });
  });

  it('if they change a sale and its commission: both get a time after the latest change of either', () => {
    const refund = { ...change, reason: 'refund', totalCents: 100 } as const;
    const { after } = refundOutcome({ ...sale, changedAt: LATER }, created, refund);
    const at = '2026-11-25T00:00:00.002Z';
    expect(after).toMatchObject({
      sale: { changedAt: at },
      steps: [{ createdAt: at }],
      commission: { history: [{ at: AT }, { at }] },
    });
  });
});

describe('the version number of a sale', () => {
  const sale = recordedSale(4_900, 'api');
  const after = (changes: Partial<Sale>) => versionAfter(sale, { ...sale, ...changes });

  it('is 1 at first, and stays the same if only a tax or a payment id is added', () => {
    expect(versionOf(sale)).toBe(1);
    expect(after({ taxCents: 1, providerPaymentId: 'pi_1', changedAt: AT })).toBeUndefined();
  });

  it.each([{ refundedCents: 1 }, { code: 'SAVE10' }, { commissionId: 7 }])(
    'increases by 1 when the sale changes to %j',
    (changes) => {
      expect(after(changes)).toBe(2);
      expect(versionAfter({ ...sale, version: 4 }, { ...sale, ...changes })).toBe(5);
    },
  );
});
