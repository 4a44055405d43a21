import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Commission, isInReview } from '#lib/service/earnings/commissions/commission.ts';
import {
  paidInPayoutCents,
  payableCents,
  paidSoFarCents,
} from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { LOGIN_TOKEN_DAYS } from '#lib/service/ground/addresses/login-token.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import { findCounter } from '#lib/service/ground/counters/counters-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { holdAds, suspect } from '#test/support/payments/held.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { deliver, streamRecords } from '#test/support/table/stream.ts';
import { operated } from '#test/support/callers/operator.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const DAY_MS = 86_400_000;
const which = fc.nat(4);

const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('sale'), customer: fc.nat(2) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('refund'),
      which,
      percent: fc.constantFrom(10, 50, 100),
      reason: fc.constantFrom('refund', 'chargeback'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('decide'), which, what: fc.constantFrom('release', 'approve') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('decide'), which, what: fc.constantFrom('reject', 'reopen') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('payout') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('partner'), status: fc.constantFrom('removed', 'active') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), days: fc.constantFrom(1, 16) }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Steps in rounds. The steps of a round run in parallel. */
const anyLife = fc.array(fc.array(anyStep, { minLength: 1, maxLength: 3 }), {
  minLength: 6,
  maxLength: 12,
  size: 'max',
});

interface Sold {
  readonly transactionId: string;
  readonly commissionId: number;
}

interface Life {
  readonly own: OwnedBrand;
  readonly sales: Sold[];
  now: number;
}

function oneOf(allowed: readonly number[], { status, body }: TestReply): void {
  if (!allowed.includes(status)) throw new Error(`Unexpected ${status}: ${JSON.stringify(body)}`);
}

async function take(life: Life, step: Step): Promise<void> {
  const { own, sales } = life;
  const at = new Date(life.now);
  if (step.do === 'wait') {
    // Time moves until the owner's session ends.
    life.now = Math.min(life.now + step.days * DAY_MS, NOW.getTime() + (LOGIN_TOKEN_DAYS - 1) * DAY_MS);
    return;
  }
  if (step.do === 'sale') {
    const transactionId = `money_${own.program.id}_${sales.length}`;
    const place = sales.push({ transactionId, commissionId: 0 }) - 1;
    const body = { customer_key: `money_${step.customer}`, transaction_id: transactionId };
    const { commission_id: commissionId } = await sold(own, body, { at }).catch(() => ({ commission_id: 0 }));
    sales[place] = { transactionId, commissionId };
    return;
  }
  if (step.do === 'payout') {
    oneOf([200, 409], await own.owner.post(`${own.path}/payouts`, {}, { at }));
    return;
  }
  if (step.do === 'partner') {
    await own.owner.patch(`${own.path}/partners/${own.partner.id}`, { status: step.status }, { at });
    return;
  }
  const sale = sales[step.which % (sales.length || 1)];
  if (!sale) return;
  if (step.do === 'refund') {
    const body = {
      transaction_id: sale.transactionId,
      refund_amount_cents: 49 * step.percent,
      reason: step.reason,
    };
    oneOf([200, 404], await refunded(own, body, at));
    return;
  }
  const path = `${own.path}/commissions/${sale.commissionId}/${step.what}`;
  const body = step.what === 'reject' || step.what === 'reopen' ? { reason: 'Fraud' } : {};
  oneOf([200, 404, 409], await own.owner.post(path, body, { at }));
}

async function commissionsOf({ sales }: Life): Promise<Commission[]> {
  const { table } = world.deps();
  const found = await Promise.all(
    sales.map(({ transactionId }) => table.get<Commission>(keys.commission(transactionId))),
  );
  return found.filter((one) => one !== undefined);
}

function expectUnpaidInReview(commissions: readonly Commission[]): void {
  for (const commission of commissions.filter(isInReview)) {
    expect(commission).not.toHaveProperty('paidAt');
    expect(commission).not.toHaveProperty('payoutId');
    expect(commission).not.toHaveProperty('paidOutCents');
    expect(['held', 'rejected', 'reversed']).toContain(commission.status);
  }
}

async function expectMoneyAddsUp({ own, now }: Life, commissions: readonly Commission[]): Promise<void> {
  const { program, partner, shortLink } = own;
  await deliver(await streamRecords(world));
  const { table } = world.deps();
  const counted = commissions.filter((commission) => !isInReview(commission));
  const expected = {
    commission: sumOf(counted.map(payableCents)),
    // What is left without rejections is exactly what partners get.
    net: sumOf(commissions.filter(({ status }) => status !== 'rejected' && status !== 'held').map(payableCents)),
    fee: sumOf(counted.map(({ platformFee }) => platformFee!.amountCents - platformFee!.reducedCents)),
  };
  for (const counter of [
    { of: 'program', programId: program.id },
    { of: 'partner', programId: program.id, partnerId: partner.id },
    { of: 'link', shortLink },
  ] as const) {
    const { counts } = await findCounter(table, counter);
    const { commissionUSD: commission = 0, rejectedUSD: rejected = 0, platformFeeUSD: fee = 0 } = counts;
    expect({ commission, net: commission - rejected, fee }).toEqual(expected);
  }
  const rebuilt = await operated(world, `metrics rebuild --program ${program.id}`, new Date(now));
  expect(rebuilt).toMatchObject({ corrected: 0, left: 0 });
  const payouts: Pick<Payout, 'id'>[] = (await own.owner.get(`${own.path}/payouts`)).body.data;
  for (const { id } of payouts) {
    expect(sumOf(commissions.filter(isInReview).map((one) => paidInPayoutCents(one, id)))).toBe(0);
  }
  const { counts } = await findCounter(table, { of: 'partner', programId: program.id, partnerId: partner.id });
  expect(counts.paidOutUSD ?? 0).toBe(sumOf(commissions.map(paidSoFarCents)));
}

const sizes = [
  { lives: 'a few', numRuns: 3, tags: [] },
  { lives: 'many', numRuns: 30, tags: ['deep'] },
];

describe('money of commissions that a rule holds for review', () => {
  for (const { lives, numRuns, tags } of sizes)
    it(`is in no payout and no balance, in ${lives} random histories`, { tags }, async () => {
      expect.hasAssertions();
      await fc.assert(
        fc.asyncProperty(anyLife, async (turns) => {
          const own = await ownedBrand(world);
          await holdAds(world, own);
          // Two customers whom a rule holds until they are released, and one without a hold.
          await suspect(world, own, 'money_0');
          await suspect(world, own, 'money_1');
          await signedUp(own, 'money_2');
          const life: Life = { own, sales: [], now: NOW.getTime() };
          for (const steps of turns) {
            await Promise.all(steps.map((step) => take(life, step)));
            expectUnpaidInReview(await commissionsOf(life));
          }
          await expectMoneyAddsUp(life, await commissionsOf(life));
        }),
        { numRuns },
      );
      await expectNothingHalfWritten(world);
    });
});
