import { describe, expect, it } from 'vitest';
import { grantCommission } from '#lib/service/earnings/commissions/grant-commission.ts';
import { isAnythingDue } from '#lib/service/earnings/recording/is-anything-due.ts';
import { planOf, plannedBy } from '#lib/service/earnings/recording/plan-payout.ts';
import { anotherPartner } from '#test/support/payments/lives/journeys.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';

const world = openedWorld();

/** A program with granted amounts, one in each part of the list: the partner's number and cents. */
async function granted(amounts: readonly (readonly [partner: number, cents: number])[], settings: object = {}) {
  const brand = await world.brand(settings);
  const partners = [brand.partner];
  for (const name of ['Ben', 'Cy']) partners.push((await anotherPartner(world, brand, name)).partner);
  for (const [index, [n, amountCents]] of amounts.entries()) {
    const amount = { amountCents, currency: 'USD', reason: 'Bonus' };
    const at = new Date(world.deps().now.getTime() + index);
    await grantCommission(world.deps(at), partners[n]!, amount, 'account:1');
  }
  const deps = world.deps();
  const plan = await planOf(deps, brand.program.id, {}, 'operator');
  return { deps, plan };
}

describe('isAnythingDue, which checks whether a payout would pay anything,', () => {
  it.each([
    ['returns false without commissions', [], false],
    ['returns true for a single amount', [[0, 5]], true],
    [
      'returns false if a later deduction cancels the only amount',
      [
        [0, 5],
        [0, -5],
      ],
      false,
    ],
    [
      'returns true if an amount exceeds an earlier deduction',
      [
        [0, -5],
        [0, 6],
      ],
      true,
    ],
    [
      'returns true if deductions use up all amounts except the last partner’s',
      [
        [0, 5],
        [1, 5],
        [0, -5],
        [1, -9],
        [2, 1],
      ],
      true,
    ],
  ] as const)('%s', async (_, amounts, expected) => {
    const { deps, plan } = await granted(amounts);
    expect((await plannedBy(deps, plan)).lines.length > 0).toBe(expected);
    for (const size of [1, 2, undefined]) expect(await isAnythingDue(deps, plan, size)).toBe(expected);
  });

  it('returns true if two amounts of a partner reach the minimum only together', async () => {
    const { deps, plan } = await granted(
      [
        [0, 60],
        [1, 60],
        [0, 40],
      ],
      { minimumPayoutCents: 100 },
    );
    expect(await isAnythingDue(deps, plan, 1)).toBe(true);
    const { deps: others, plan: none } = await granted(
      [
        [0, 60],
        [1, 60],
        [0, 39],
      ],
      { minimumPayoutCents: 100 },
    );
    expect(await isAnythingDue(others, none, 1)).toBe(false);
  });

  it('reads only the beginning of the index and one partner’s commissions if these are enough', async () => {
    const { deps, plan } = await granted(Array.from({ length: 6 }, (_, n) => [n % 3, 5] as const));
    const calls = await sentCalls(() => isAnythingDue(deps, plan, 2));
    expect(calls.map(({ input }) => input['IndexName'])).toEqual(['gsi1', 'gsi2']);
  });
});
