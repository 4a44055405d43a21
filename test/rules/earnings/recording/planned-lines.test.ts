import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { dueCents, paidOut } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import {
  joinedClaims,
  type Payout,
  type PayoutClaims,
  totalsOf,
  sumsOf,
  withClaims,
} from '#lib/service/earnings/payouts/payout.ts';
import type { PayoutChoice } from '#lib/service/earnings/recording/payout-choice.ts';
import {
  claimsOfDue,
  type Conditions,
  type Due,
  duesOf,
  fitting,
  leavesOut,
  minimumOf,
  paidOfDue,
} from '#lib/service/earnings/recording/planned-lines.ts';
import { type UnsettledCommission, unsettledPart } from '#lib/service/earnings/commissions/unsettled-commission.ts';

const at = new Date('2026-11-20T15:00:00.000Z');
const change = { actor: 'account:1', at } as const;
const payout: Payout = {
  id: 9,
  programId: 3,
  status: 'open',
  steps: 0,
  createdAt: at.toISOString(),
  createdBy: 'account:1',
};
const none = { commissions: 0, lines: 0 };
const everyone: Conditions = { choice: {}, minimum: { currency: 'USD', cents: 0 }, held: new Set() };
const linesOf = (
  commissions: readonly UnsettledCommission[],
  choice: PayoutChoice = {},
  { begun, ...conditions }: Partial<Conditions> & { begun?: Parameters<typeof duesOf>[2] } = {},
): Due[] => {
  const reasonOf = leavesOut({ ...everyone, ...conditions, choice });
  return fitting(
    duesOf(commissions, choice, begun).filter((due) => reasonOf(due) === undefined),
    none,
  );
};
const partsOf = (lines: readonly Due[]) => lines.flatMap(({ parts }) => parts);
const idsOf = (lines: readonly Due[]) => partsOf(lines).map(({ id }) => id);
const unsettled = (some: readonly Commission[]): UnsettledCommission[] =>
  some.map(unsettledPart).filter((part) => part !== undefined);
/** The commissions after a payout of some of them. */
const afterPayout = (some: readonly Commission[], paid: readonly UnsettledCommission[]): Commission[] =>
  some.map((one) => (paid.some(({ id }) => id === one.id) ? paidOut(one, payout.id, change) : one));

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

describe('the lines of a payout', () => {
  it('are one for each partner and currency with a positive sum, in that order, and contain all due commissions', () => {
    fc.assert(
      fc.property(commissions, (some) => {
        const lines = linesOf(unsettled(some));
        expect(lines.map(group)).toEqual(lines.map(group).toSorted());
        for (const name of new Set(some.map(group))) {
          const due = sum(some.filter((one) => group(one) === name).map(dueCents));
          const taken = lines.filter((one) => group(one) === name);
          expect(taken.map(({ amountCents }) => amountCents)).toEqual(due > 0 ? [due] : []);
        }
      }),
    );
  });

  it('have amounts above 0 after every interruption of the payout, and the completed payout is the same as without interruptions', () => {
    fc.assert(
      fc.property(commissions, fc.integer({ min: 1, max: 5 }), (some, step) => {
        const recorded: PayoutClaims[] = [];
        let rest = some;
        for (;;) {
          const last = joinedClaims(recorded).at(-1);
          const taken = partsOf(linesOf(unsettled(rest), {}, { begun: last })).slice(0, step);
          if (taken.length === 0) break;
          recorded.push(
            ...taken.map(({ id, openCents, ...part }) => ({ ...part, amountCents: openCents, commissionIds: [id] })),
          );
          expect(joinedClaims(recorded).every(({ amountCents }) => amountCents > 0)).toBe(true);
          rest = afterPayout(rest, taken);
        }
        expect(joinedClaims(recorded)).toEqual(linesOf(unsettled(some)).map(claimsOfDue));
      }),
    );
  });

  it('pay everything due in one payout, and leave negative sums to later payouts', () => {
    fc.assert(
      fc.property(commissions, (some) => {
        const lines = linesOf(unsettled(some));
        const after = afterPayout(some, partsOf(lines));
        const paidSoFar = (of: Commission[]) => sum(of.map(({ paidOutCents = 0 }) => paidOutCents));
        expect(sum(lines.map(({ amountCents }) => amountCents))).toBe(paidSoFar(after) - paidSoFar(some));
        expect(linesOf(unsettled(after))).toEqual([]);
        for (const one of after.filter(({ id }) => idsOf(lines).includes(id))) expect(dueCents(one)).toBe(0);
      }),
    );
  });

  it('do not depend on the order of the commissions', () => {
    fc.assert(
      fc.property(commissions, (some) => {
        expect(linesOf(unsettled(some.toReversed()))).toEqual(linesOf(unsettled(some)));
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

it('a payout line lists commissions of equal amounts in the order of their ids', () => {
  expect(idsOf(linesOf(unsettled([approved(3, 1), approved(2, 1), approved(1, 2)])))).toEqual([2, 3, 1]);
});

const many = (count: number, partnerOf: (n: number) => number) =>
  unsettled(Array.from({ length: count }, (_, n) => approved(n + 1, partnerOf(n))));

const sizes = (lines: readonly Due[]) => lines.map((line) => [line.partnerId, line.parts.length, line.amountCents]);
/** As if the payout contained so much already, which spares the test large lists. */
const room = (count: number, lines = 20_000) => ({ commissions: 200_000 - count, lines: 20_000 - lines });

describe('a payout near its size limit', () => {
  it('leaves out a line that does not fit completely, and adds smaller ones that do', () => {
    const dues = duesOf([...many(15, () => 1), ...many(6, () => 2), ...many(5, () => 3)], {});
    expect(sizes(fitting(dues, room(20)))).toEqual([
      [1, 15, 1_500],
      [3, 5, 500],
    ]);
  });

  it('continues its unfinished line while there is room for commissions, and adds nothing when it is full', () => {
    const begun = { partnerId: 1, currency: 'USD', amountCents: 100 };
    const dues = duesOf(
      many(2, () => 1),
      {},
      begun,
    );
    expect(sizes(fitting(dues, room(1)))).toEqual([[1, 1, 100]]);
    expect(sizes(fitting(dues, room(0)))).toEqual([]);
  });

  it('contains only as many lines as there is room for', () => {
    const dues = duesOf(
      many(4, (n) => n + 1),
      {},
    );
    expect(fitting(dues, room(100, 3)).map(({ partnerId }) => partnerId)).toEqual([1, 2, 3]);
  });

  it('contains as much of a line as fits if the whole line fits into no payout', { tags: 'deep' }, () => {
    const dues = duesOf(
      many(200_001, () => 1),
      {},
    );
    expect(sizes(fitting(dues, none))).toEqual([[1, 200_000, 20_000_000]]);
  });
});

const claim = (partnerId: number, currency = 'USD'): PayoutClaims => ({
  partnerId,
  currency,
  amountCents: 5,
  commissionIds: [partnerId],
});

describe('a payout that is not completed yet', () => {
  it('stores the number of its steps, and for each currency the number of lines and commissions and the amount', () => {
    const first = withClaims(payout, [claim(1, 'EUR'), claim(1)], undefined, 'open');
    expect(first).toMatchObject({ status: 'open', steps: 1, last: { partnerId: 1, currency: 'USD' } });
    const after = withClaims(first, [claim(1), claim(2)], first.last, 'made');
    expect(after).toMatchObject({ status: 'made', steps: 2, last: { partnerId: 2, currency: 'USD' } });
    expect(sumsOf(after)).toEqual({
      EUR: { lines: 1, commissions: 1, amountCents: 5 },
      USD: { lines: 2, commissions: 3, amountCents: 15 },
    });
    expect(totalsOf(sumsOf(after))).toEqual({ EUR: 5, USD: 15 });
  });

  it('continues with the line of the partner that it added last', () => {
    const some = many(3, (n) => n + 1);
    expect(idsOf(linesOf(some, {}, { begun: { partnerId: 2, currency: 'USD', amountCents: 1 } }))).toEqual([2, 3]);
  });

  it('keeps the list of items that version 1 of the service stored in it', () => {
    const items = [{ partnerId: 1, currency: 'USD', amountCents: 5, commissions: 2 }];
    const after = withClaims({ ...payout, items }, [], undefined, 'made');
    expect(after).toEqual({ ...payout, items, steps: 1, status: 'made' });
    expect(sumsOf(after)).toEqual({ USD: { lines: 1, commissions: 2, amountCents: 5 } });
  });
});

const sold = (id: number, occurredAt: string): Commission => ({ ...approved(id, 1), occurredAt });

describe('a payout for sales up to a given day', () => {
  it('pays for sales until that day ends in UTC, and pays what is still due on paid commissions of any day', () => {
    const paid = { status: 'paid', paidAt: at.toISOString(), paidOutCents: 90, payoutId: 1 } as const;
    const some = [
      sold(1, '2026-11-19T00:00:00.000Z'),
      sold(2, '2026-11-20T23:59:59.999Z'),
      sold(3, '2026-11-21T00:00:00.000Z'),
      { ...sold(4, '2026-11-21T00:00:00.000Z'), ...paid },
    ];
    expect(idsOf(linesOf(unsettled(some), { through: '2026-11-20' }))).toEqual([1, 2, 4]);
  });
});

const huge = (id: number): Commission => ({ ...approved(id, 1), amountCents: Number.MAX_SAFE_INTEGER });

it('a payout line leaves out commissions whose amounts are too large to be added exactly', () => {
  expect(idsOf(linesOf(unsettled([huge(1), huge(2)])))).toEqual([1]);
});

it('a payout leaves out a partner whose due amounts sum to zero', () => {
  const owing = { status: 'paid', paidAt: at.toISOString(), paidOutCents: 200, payoutId: 1 } as const;
  expect(linesOf(unsettled([approved(1, 1), { ...approved(2, 1), ...owing }]))).toEqual([]);
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

describe('the minimum amount of a payout per partner', () => {
  const minimum = { currency: 'USD', cents: 1_000 };
  it.each([
    [0, 'USD', 0],
    [-5, 'USD', 0],
    [999, 'USD', 0],
    [1_000, 'USD', 1_000],
    [1, 'EUR', 1],
    [-1, 'EUR', 0],
  ])(
    'is 1,000 cents in USD and none in EUR: with %d cents due in %s, a payout pays %d cents',
    (cents, currency, paid) => {
      expect(paidOfDue(cents, currency, minimum)).toBe(paid);
    },
  );

  it('is compared with the sum of what is due to a partner in the program’s currency', () => {
    const some = [dueOf(1, 1, 600), dueOf(2, 1, 400), dueOf(3, 2, 999), dueOf(4, 2, 1, 'EUR')];
    expect(idsOf(linesOf(some, {}, { minimum }))).toEqual([1, 2, 4]);
  });

  it('is compared with a sum that includes what this payout has already recorded for the partner', () => {
    const begun = { partnerId: 1, currency: 'USD', amountCents: 950 };
    expect(idsOf(linesOf([dueOf(2, 1, 50)], {}, { begun, minimum }))).toEqual([2]);
    expect(idsOf(linesOf([dueOf(2, 1, 49)], {}, { begun, minimum }))).toEqual([]);
  });

  it('is 0 if the program has none', () => {
    expect(minimumOf({ currency: 'USD' })).toEqual({ currency: 'USD', cents: 0 });
    expect(minimumOf({ currency: 'EUR', minimumPayoutCents: 5 })).toEqual({ currency: 'EUR', cents: 5 });
  });
});

describe('the reason why a payout leaves out an amount due, or no reason if it pays it, in the case of', () => {
  const minimum = { currency: 'USD', cents: 100 };
  const methods = new Map([
    [1, 'paypal'],
    [2, 'wise'],
  ] as const);
  const due = { partnerId: 1, currency: 'USD', amountCents: 100, commissions: 1, heldCents: 0 };
  it.each<[string, PayoutChoice, Partial<Due>, Partial<Conditions>, string | undefined]>([
    ['no selection and enough due', {}, {}, {}, undefined],
    [
      'a partner whose payouts are on hold',
      { partnerIds: [2], onlyWithDetails: true },
      { amountCents: 1 },
      { held: new Set([1]) },
      'held',
    ],
    [
      'no payout details',
      { onlyWithDetails: true, partnerIds: [1] },
      { partnerId: 3, amountCents: 1 },
      {},
      'no_details',
    ],
    ['no payout details, if a method is selected', { method: 'paypal' }, { partnerId: 3 }, {}, 'no_details'],
    ['no payout details, if the selection does not require any', {}, { partnerId: 3 }, {}, undefined],
    ['an amount below the minimum', { partnerIds: [2] }, { amountCents: 99 }, {}, 'below_minimum'],
    [
      'an amount that reaches the minimum together with the amount already recorded',
      {},
      { amountCents: 1, heldCents: 99 },
      {},
      undefined,
    ],
    ['another partner selected', { partnerId: 2 }, {}, {}, 'not_chosen'],
    ['other partners selected', { partnerIds: [2, 3] }, {}, {}, 'not_chosen'],
    ['its partner and another selected', { partnerIds: [1, 3] }, {}, {}, undefined],
    ['its partner excepted', { exceptPartnerIds: [1] }, {}, {}, 'not_chosen'],
    ['another partner excepted', { exceptPartnerIds: [2] }, {}, {}, undefined],
    ['another currency selected', { currency: 'EUR' }, {}, {}, 'not_chosen'],
    ['another method selected', { method: 'wise' }, {}, {}, 'not_chosen'],
    ['its method selected', { method: 'paypal' }, {}, {}, undefined],
  ])('%s', (_, choice, changes, conditions, reason) => {
    expect(leavesOut({ choice, minimum, held: new Set(), methods, ...conditions })({ ...due, ...changes })).toBe(
      reason,
    );
  });
});

it('what several steps of a payout pay to one partner in one currency is joined, in the order of partner and currency', () => {
  const claims = [claim(2), claim(1, 'EUR'), claim(1), { ...claim(1), commissionIds: [7, 3] }];
  expect(joinedClaims(claims)).toEqual([
    claim(1, 'EUR'),
    { partnerId: 1, currency: 'USD', amountCents: 10, commissionIds: [1, 3, 7] },
    claim(2),
  ]);
});
