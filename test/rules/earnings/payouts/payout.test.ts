import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { dueCents, paidOut } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import {
  carriedOver,
  claimsByItem,
  claimsOf as claimsAbove,
  joinedClaims,
  minimumOf,
  paidOfDue,
  type Payout,
  type PayoutClaims,
  stepOf,
  totalsOf,
  withClaims,
} from '#lib/service/earnings/payouts/payout.ts';
import { type UnsettledCommission, unsettledPart } from '#lib/service/earnings/commissions/unsettled-commission.ts';

const claimsOf = (commissions: readonly UnsettledCommission[], begun: Payout): UnsettledCommission[] =>
  claimsAbove(commissions, begun, { currency: 'USD', cents: 0 });

const at = new Date('2026-11-20T15:00:00.000Z');
const change = { actor: 'account:1', at } as const;
const payout: Payout = {
  id: 9,
  programId: 3,
  status: 'open',
  steps: 0,
  items: [],
  createdAt: at.toISOString(),
  createdBy: 'account:1',
};
const holding = (begun: Payout, claims: readonly UnsettledCommission[]): Payout =>
  withClaims(begun, claimsByItem(claims), 'open');
const unsettled = (all: readonly Commission[]): UnsettledCommission[] =>
  all.map(unsettledPart).filter((part) => part !== undefined);
/** The commissions after a payout of some of them. */
const afterPayout = (all: readonly Commission[], paid: readonly UnsettledCommission[]): Commission[] =>
  all.map((one) => (paid.some(({ id }) => id === one.id) ? paidOut(one, payout.id, change) : one));

const base = {
  programId: 3,
  clickId: 'clk_1',
  commissionType: 'percent',
  commissionRate: 20,
  terms: { version: 1, from: 'program' },
  refundState: 'none',
  platformFee: { amountCents: 0, reducedCents: 0, bps: 0, currency: 'USD' },
  occurredAt: at.toISOString(),
  holdUntil: at.toISOString(),
  createdAt: at.toISOString(),
  history: [],
} as const;

/** Commissions in every state reached by approvals, refunds and payouts. */
const commissions = fc
  .array(
    fc.record({
      partnerId: fc.integer({ min: 1, max: 2 }),
      currency: fc.constantFrom('USD', 'EUR'),
      amountCents: fc.integer({ min: 0, max: 1000 }),
      share: fc.integer({ min: 0, max: 100 }),
      state: fc.constantFrom('pending', 'approved', 'paid', 'reversed after payment', 'reversed', 'rejected'),
    }),
    { maxLength: 30 },
  )
  .map((all) =>
    all.map(({ share, state, ...parts }, n): Commission => {
      const isFull = state.startsWith('reversed');
      const wasPaid = state === 'paid' || state === 'reversed after payment';
      return {
        ...base,
        ...parts,
        id: n + 1,
        saleId: n + 1,
        transactionId: `t${n}`,
        baseAmountCents: parts.amountCents * 5,
        status: isFull ? 'reversed' : (state as Commission['status']),
        deductedCents: isFull ? parts.amountCents : Math.floor((parts.amountCents * share) / 100),
        ...(wasPaid && { paidAt: at.toISOString(), paidOutCents: parts.amountCents, payoutId: 1 }),
      };
    }),
  );

const sum = (cents: number[]) => cents.reduce((total, one) => total + one, 0);
const group = ({ partnerId, currency }: { partnerId: number; currency: string }) => `${partnerId} ${currency}`;

describe('a payout, in which the commissions of a partner are grouped by currency,', () => {
  it('takes whole groups with a positive sum and leaves the others unchanged', () => {
    fc.assert(
      fc.property(commissions, (all) => {
        const claims = claimsOf(unsettled(all), payout);
        for (const name of new Set(all.map(group))) {
          const due = sum(all.filter((one) => group(one) === name).map(dueCents));
          const taken = claims.filter((one) => group(one) === name);
          expect(sum(taken.map(({ openCents }) => openCents))).toBe(Math.max(0, due));
          expect(taken.length > 0).toBe(due > 0);
        }
      }),
    );
  });

  it('has a positive amount for every group after any interruption, and the same result when completed', () => {
    fc.assert(
      fc.property(commissions, fc.integer({ min: 1, max: 5 }), (all, step) => {
        let stepwise = payout;
        let rest = all;
        for (;;) {
          const taken = claimsOf(unsettled(rest), stepwise).slice(0, step);
          if (taken.length === 0) break;
          stepwise = holding(stepwise, taken);
          expect(stepwise.items.every(({ amountCents }) => amountCents > 0)).toBe(true);
          rest = afterPayout(rest, taken);
        }
        expect(stepwise.items).toEqual(holding(payout, claimsOf(unsettled(all), payout)).items);
      }),
    );
  });

  it('pays everything payable over several payouts, and carries over negative sums', () => {
    fc.assert(
      fc.property(commissions, (all) => {
        const claims = claimsOf(unsettled(all), payout);
        const paid = holding(payout, claims);
        const after = afterPayout(all, claims);
        const paidSoFar = (some: Commission[]) => sum(some.map(({ paidOutCents = 0 }) => paidOutCents));
        expect(sum(Object.values(totalsOf(paid)))).toBe(paidSoFar(after) - paidSoFar(all));
        expect(claimsOf(unsettled(after), { ...payout, id: 10 })).toEqual([]);
        for (const one of after.filter(({ id }) => claims.some((claim) => claim.id === id)))
          expect(dueCents(one)).toBe(0);
      }),
    );
  });

  it('does not depend on the order of the commissions', () => {
    fc.assert(
      fc.property(commissions, (all) => {
        expect(claimsOf(unsettled(all.toReversed()), payout)).toEqual(claimsOf(unsettled(all), payout));
      }),
    );
  });
});

const approved = (id: number, partnerId: number): Commission => ({
  ...base,
  id,
  partnerId,
  saleId: id,
  transactionId: `t${id}`,
  status: 'approved',
  commissionRate: 20,
  baseAmountCents: 500,
  amountCents: 100,
  deductedCents: 0,
  currency: 'USD',
});

it('a payout takes equal amounts in the order of their ids and lists items by partner', () => {
  const claims = claimsOf(unsettled([approved(3, 1), approved(2, 1), approved(1, 2)]), payout);
  expect(claims.map(({ id }) => id)).toEqual([2, 3, 1]);
  expect(holding(payout, claims.toReversed()).items.map(({ partnerId }) => partnerId)).toEqual([1, 2]);
});

it('a payout lists each partner’s commissions per currency once and in order, across all steps', () => {
  const steps = [[approved(3, 2)], [approved(5, 1), approved(1, 2)], [approved(2, 2)]].map((step) =>
    claimsByItem(unsettled(step)),
  );
  expect(joinedClaims(steps.flat())).toEqual([
    { partnerId: 1, currency: 'USD', amountCents: 100, commissionIds: [5] },
    { partnerId: 2, currency: 'USD', amountCents: 300, commissionIds: [1, 2, 3] },
  ]);
});

const many = (count: number, partnerOf: (n: number) => number) =>
  unsettled(Array.from({ length: count }, (_, n) => approved(n + 1, partnerOf(n))));

describe('a payout that has reached its size limit', () => {
  it('leaves a partner who does not fit completely to the next payout', () => {
    const all = [...many(15_000, () => 1), ...many(6_000, () => 2), ...many(5_000, () => 3)];
    const claims = claimsOf(all, payout);
    expect(holding(payout, claims).items.map((item) => [item.partnerId, item.commissions])).toEqual([
      [1, 15_000],
      [3, 5_000],
    ]);
  });

  it('pays a partner who does not fit into any payout in parts', () => {
    const all = many(20_001, () => 1);
    expect(claimsOf(all, payout)).toHaveLength(20_000);
  });

  it('continues with a partner whom it has begun to pay, if it has room', () => {
    const items = [{ partnerId: 1, currency: 'USD', amountCents: 100, commissions: 19_999 } as const];
    expect(
      claimsOf(
        many(2, () => 1),
        { ...payout, steps: 1, items },
      ),
    ).toHaveLength(1);
  });

  it('has no more partners than one table item can hold', () => {
    const claims = claimsOf(
      many(2_001, (n) => n + 1),
      payout,
    );
    expect(holding(payout, claims).items).toHaveLength(2_000);
  });
});

const claim = (partnerId: number): PayoutClaims => ({
  partnerId,
  currency: 'USD',
  amountCents: 5,
  commissionIds: [partnerId],
});

it('a payout keeps its items in the same order, whichever partner was claimed first', () => {
  const begun = withClaims(payout, [claim(2)], 'open');
  expect(withClaims(begun, [claim(3), claim(1)], 'made').items.map(({ partnerId }) => partnerId)).toEqual([1, 2, 3]);
});

const ids = (all: Commission[], request: Partial<Payout>) =>
  claimsOf(unsettled(all), { ...payout, ...request }).map(({ id }) => id);

const sold = (id: number, occurredAt: string): Commission => ({ ...approved(id, 1), occurredAt });

describe('a payout with filters', () => {
  it('for one partner takes no other partner’s commissions', () => {
    expect(ids([approved(1, 1), approved(2, 2), approved(3, 1)], { partnerId: 1 })).toEqual([1, 3]);
  });

  it('up to a day takes sales to the end of that day, and adjusts paid commissions of any day', () => {
    const paid = { status: 'paid', paidAt: at.toISOString(), paidOutCents: 90, payoutId: 1 } as const;
    const all = [
      sold(1, '2026-11-19T00:00:00.000Z'),
      sold(2, '2026-11-20T23:59:59.999Z'),
      sold(3, '2026-11-21T00:00:00.000Z'),
      { ...sold(4, '2026-11-21T00:00:00.000Z'), ...paid },
    ];
    expect(ids(all, { through: '2026-11-20' })).toEqual([1, 2, 4]);
  });
});

const held = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    partnerId: n + 1,
    currency: 'USD' as const,
    amountCents: 100,
    commissions: 1,
  }));

describe('an open payout', () => {
  it('takes as many new partners as fit in addition to those it has', () => {
    const all = [approved(1, 1), approved(2, 2_001), approved(3, 2), approved(4, 2_002)];
    const claims = claimsOf(unsettled(all), { ...payout, steps: 1, items: held(1_999) });
    expect(claims.map(({ partnerId }) => partnerId)).toEqual([1, 2, 2_001]);
  });

  it('leaves a partner whose commissions fill a whole payout to the next one', () => {
    const all = many(20_000, () => 2);
    expect(claimsOf(all, { ...payout, steps: 1, items: held(1) })).toEqual([]);
    expect(claimsOf(all, payout)).toHaveLength(20_000);
  });

  it('counts its steps and adds up each currency separately', () => {
    const inEuro = { ...claim(1), currency: 'EUR', amountCents: 7 } as const;
    const after = withClaims(withClaims(payout, [claim(1), inEuro], 'open'), [claim(2), claim(1)], 'made');
    expect(after).toMatchObject({ status: 'made', steps: 2 });
    expect(totalsOf(after)).toEqual({ USD: 15, EUR: 7 });
  });
});

const huge = (id: number): Commission => ({ ...approved(id, 1), amountCents: Number.MAX_SAFE_INTEGER });

it('a payout takes only as many huge old amounts as can be added exactly', () => {
  expect(claimsOf(unsettled([huge(1), huge(2)]), payout).map(({ id }) => id)).toEqual([1]);
});

it('a payout leaves out a group that sums to zero', () => {
  const owing = { status: 'paid', paidAt: at.toISOString(), paidOutCents: 200, payoutId: 1 } as const;
  expect(claimsOf(unsettled([approved(1, 1), { ...approved(2, 1), ...owing }]), payout)).toEqual([]);
});

const dueOf = (id: number, partnerId: number, openCents: number, currency = 'USD'): UnsettledCommission => ({
  id,
  partnerId,
  currency,
  status: 'approved',
  openCents,
  holdUntil: at.toISOString(),
  saleDay: '2026-11-20',
});
const idsOf = (claims: readonly UnsettledCommission[]) => claims.map(({ id }) => id);

describe('the minimum payout of a program', () => {
  const minimum = { currency: 'USD', cents: 1_000 };
  it.each([
    [0, 'USD', 0],
    [-5, 'USD', 0],
    [999, 'USD', 0],
    [1_000, 'USD', 1_000],
    [1, 'EUR', 1],
    [-1, 'EUR', 0],
  ])('lets a due amount of %d in %s pay %d', (cents, currency, paid) => {
    expect(paidOfDue(cents, currency, minimum)).toBe(paid);
  });

  it('applies to everything due to one partner, and carries smaller sums over', () => {
    const all = [dueOf(1, 1, 600), dueOf(2, 1, 400), dueOf(3, 2, 999), dueOf(4, 2, 1, 'EUR')];
    expect(idsOf(claimsAbove(all, payout, minimum))).toEqual([1, 2, 4]);
    expect(carriedOver(all, payout, minimum)).toEqual({ minimum, partners: 1, amountCents: 999 });
    expect(carriedOver(all, { ...payout, partnerId: 1 }, minimum)).toBeUndefined();
  });

  it('does not carry over amounts that later payouts withhold', () => {
    expect(carriedOver([{ ...dueOf(1, 1, -500), status: 'reversed' }], payout, minimum)).toBeUndefined();
  });

  it('is compared with a sum that includes the amount in the open payout', () => {
    const begun = holding(payout, [dueOf(1, 1, 950)]);
    expect(idsOf(claimsAbove([dueOf(2, 1, 50)], begun, minimum))).toEqual([2]);
    expect(idsOf(claimsAbove([dueOf(2, 1, 49)], begun, minimum))).toEqual([]);
  });

  it('is 0 if the program has none', () => {
    expect(minimumOf({ currency: 'USD' })).toEqual({ currency: 'USD', cents: 0 });
    expect(minimumOf({ currency: 'EUR', minimumPayoutCents: 5 })).toEqual({ currency: 'EUR', cents: 5 });
  });
});

describe('a payout step', () => {
  it('takes as many commissions as fit into its transaction together with their groups', () => {
    const due = [dueOf(1, 1, 1), dueOf(2, 1, 1), dueOf(3, 1, 1, 'EUR'), dueOf(4, 2, 1)];
    const taken = [2, 3, 4, 5, 6, 7, 8].map((most) => idsOf(stepOf(due, most)).length);
    expect(taken).toEqual([1, 2, 2, 3, 3, 4, 4]);
    expect(idsOf(stepOf(due, 6))).toEqual([1, 2, 3]);
    expect(stepOf([], 96)).toEqual([]);
  });
});
