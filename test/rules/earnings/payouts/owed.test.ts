import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { type OwedAmounts, owedBy } from '#lib/service/earnings/payouts/owed.ts';
import { type PayoutItem, sumsOfItems, totalsOf } from '#lib/service/earnings/payouts/payout.ts';
import { duesOf, minimumOf, paidOfDue } from '#lib/service/earnings/recording/planned-lines.ts';
import { type UnsettledCommission, unsettledAt } from '#lib/service/earnings/commissions/unsettled-commission.ts';

const now = new Date('2026-11-20T15:00:00.000Z');
const owedIn = (all: readonly UnsettledCommission[], items: readonly PayoutItem[] = []) =>
  owedBy({ autoApprove: true, currency: 'USD' }, all, { totals: totalsOf(sumsOfItems(items)) }, now);

const commission = (changes: Partial<UnsettledCommission>): UnsettledCommission => ({
  id: 1,
  partnerId: 1,
  currency: 'USD',
  status: 'pending',
  holdUntil: '2026-12-05T15:00:00.000Z',
  openCents: 100,
  saleDay: '2026-11-20',
  ...changes,
});

const amounts = (changes: Partial<OwedAmounts>): OwedAmounts => ({
  pendingCents: 0,
  approvedCents: 0,
  heldCents: 0,
  dueNowCents: 0,
  balanceCents: 0,
  byDate: [],
  ...changes,
});

it('the amounts owed to partners include what an unfinished payout contains, even if nothing else is due in that currency', () => {
  const item = { partnerId: 1, currency: 'EUR', amountCents: 500, commissions: 1 };
  expect(owedIn([], [item])).toEqual({ EUR: amounts({ dueNowCents: 500 }) });
});

it('the balance owed to partners includes commissions in a currency that is no longer supported', () => {
  const item = { partnerId: 1, currency: 'JPY', amountCents: 5, commissions: 1 };
  const due = commission({ status: 'approved', openCents: 4_900, currency: 'KWD' });
  const owed = owedIn([due], [item]);
  expect(Object.keys(owed)).toEqual(['JPY', 'KWD']);
  expect(owed).toEqual({ JPY: amounts({ dueNowCents: 5 }), KWD: amounts({ approvedCents: 4_900 }) });
});

it('if a partner’s payouts are on hold, an amount that a won dispute restored to a paid commission is on hold, too', () => {
  const all = [
    commission({ status: 'paid', openCents: 70 }),
    commission({ id: 2, status: 'reversed', openCents: -30 }),
  ];
  const totals = { totals: totalsOf(sumsOfItems([])) };
  const owed = owedBy({ autoApprove: true, currency: 'USD' }, all, totals, now, new Set([1]));
  expect(owed.USD).toEqual(amounts({ heldCents: 40 }));
});

describe('a partner who owes money, because a sale was refunded after its commission was paid', () => {
  const refunded = commission({ id: 2, status: 'paid', openCents: -70 });

  it('has a negative balance, and later commissions are paid less that balance', () => {
    const later = commission({ id: 3, holdUntil: '2026-12-06T15:00:00.000Z', openCents: 30 });
    expect(owedIn([refunded, commission({}), later]).USD).toEqual(
      amounts({
        pendingCents: 130,
        balanceCents: -70,
        byDate: [
          { on: '2026-12-05', amountCents: 30 },
          { on: '2026-12-06', amountCents: 30 },
        ],
      }),
    );
  });

  it('has no date in the payout forecast if later commissions do not cover the debt', () => {
    const little = commission({ openCents: 70 });
    expect(owedIn([refunded, little]).USD).toEqual(amounts({ pendingCents: 70, balanceCents: -70 }));
  });

  it('does not reduce what is owed to other partners', () => {
    const other = commission({ partnerId: 2 });
    expect(owedIn([refunded, other]).USD).toEqual(
      amounts({ pendingCents: 100, balanceCents: -70, byDate: [{ on: '2026-12-05', amountCents: 100 }] }),
    );
  });

  it('has no negative balance if an unfinished payout already contains more than the debt', () => {
    const begun = { partnerId: 1, currency: 'USD', amountCents: 90 };
    const owed = owedBy(
      { autoApprove: true, currency: 'USD' },
      [refunded, commission({})],
      { begun, totals: { USD: 90 } },
      now,
    );
    const byDate = [{ on: '2026-12-05', amountCents: 100 }];
    expect(owed.USD).toEqual(amounts({ pendingCents: 100, dueNowCents: 90, byDate }));
  });
});

describe('the amounts owed to partners after any sales, refunds and payouts', () => {
  const commissions = fc.array(
    fc
      .record({
        partnerId: fc.integer({ min: 1, max: 3 }),
        currency: fc.constantFrom('USD', 'EUR'),
        status: fc.constantFrom<Commission['status']>('pending', 'approved', 'paid', 'reversed'),
        openCents: fc.integer({ min: 0, max: 1000 }),
        holdHours: fc.integer({ min: -50, max: 3_000 }),
      })
      .map(({ holdHours, ...parts }) =>
        commission({
          ...parts,
          openCents: parts.status === 'reversed' ? -parts.openCents : parts.openCents,
          holdUntil: new Date(now.getTime() + holdHours * 3_600_000).toISOString(),
        }),
      ),
    { maxLength: 25 },
  );
  // The minimum is in dollars, so euros are due from the first cent on.
  const program = { autoApprove: true, currency: 'USD', minimumPayoutCents: 1_200 };
  /** The totals of a payout at this time. */
  const totalsAt = (all: readonly UnsettledCommission[], at: Date) => {
    const dues = duesOf(
      all.map((one) => unsettledAt(one, program, at)),
      {},
    );
    const paid = dues.filter((due) => paidOfDue(due.amountCents, due.currency, minimumOf(program)) > 0);
    return totalsOf(sumsOfItems(paid));
  };

  it('if due now or forecast for a day, equal what a payout on that day pays', () => {
    fc.assert(
      fc.property(commissions, fc.integer({ min: 0, max: 89 }), (listed, days) => {
        const all = listed.map((one, n) => ({ ...one, id: n + 1 }));
        const asRead = all.map((one) => unsettledAt(one, program, now));
        const owed = owedBy(program, asRead, { totals: totalsAt(all, now) }, now);
        const expectPayout = (at: Date, isAdded: (on: string) => boolean) => {
          const totals = totalsAt(all, at);
          for (const [currency, { dueNowCents, byDate }] of Object.entries(owed)) {
            const added = byDate.filter(({ on }) => isAdded(on)).map(({ amountCents }) => amountCents);
            expect(added.every((cents) => cents > 0)).toBe(true);
            expect(dueNowCents + added.reduce((sum, cents) => sum + cents, 0)).toBe(totals[currency] ?? 0);
          }
        };
        expectPayout(now, () => false);
        const endOf = new Date(Date.parse('2026-11-20T23:59:59.999Z') + days * 86_400_000);
        expectPayout(endOf, (on) => on <= endOf.toISOString().slice(0, 10));
        expectPayout(new Date('2027-12-31'), () => true);
      }),
    );
  });

  it('if not pending, are either due now, part of a negative balance, or below the minimum of a payout', () => {
    fc.assert(
      fc.property(commissions, (listed) => {
        const all = listed.map((one, n) => unsettledAt({ ...one, id: n + 1 }, program, now));
        const owed = owedBy(program, all, { totals: totalsAt(all, now) }, now);
        for (const [currency, { dueNowCents, balanceCents }] of Object.entries(owed)) {
          const due = all.filter((one) => one.currency === currency && one.status !== 'pending');
          const small = duesOf(due, {})
            .filter((one) => paidOfDue(one.amountCents, currency, minimumOf(program)) === 0)
            .reduce((sum, { amountCents }) => sum + amountCents, 0);
          expect(dueNowCents + balanceCents + small).toBe(due.reduce((sum, { openCents }) => sum + openCents, 0));
          expect(balanceCents).toBeLessThanOrEqual(0);
        }
      }),
    );
  });
});
