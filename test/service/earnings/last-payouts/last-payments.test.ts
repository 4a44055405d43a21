import { beforeAll, expect, it } from 'vitest';
import { lineClaimWrite } from '#lib/service/earnings/payouts/payout-claims-items.ts';
import { lastPayments } from '#lib/service/earnings/last-payouts/last-payments.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import { indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

const MANY = 1_000;
const PREVIEW = 0;
const programId = 7;
/** Who was paid in each payout, oldest first. */
const paidIn = [[1, 2], [1, 2, 3], [4], [1, 5], [2]];
const partners = [1, 2, 3, 4, 5, 6];

let world: World;
const payouts: Payout[] = [];
beforeAll(async () => {
  world = await openWorld();
  for (const [n, paid] of paidIn.entries()) {
    const createdAt = new Date(NOW.getTime() + n).toISOString();
    const id = 8 + n;
    const items = paid.map((partnerId) => ({ partnerId, currency: 'USD', amountCents: 1, commissions: 1 }));
    const claims = paid.map((partnerId) => ({
      partnerId,
      currency: 'USD',
      amountCents: 1,
      commissionIds: [partnerId],
    }));
    const payout = { id, programId, status: 'made', steps: 1, items, createdAt, createdBy: 'account:1' } as const;
    await world
      .deps()
      .table.transact([
        { name: 'payout', key: keys.payout(id), put: { ...payout, ...indexKeys.payout(programId, createdAt, id) } },
        ...claims.map((claim) => lineClaimWrite({ ...payout, payoutId: id }, 1, claim)),
      ]);
    payouts.push(payout);
  }
});

const lastPaidOf = (payout: Pick<Payout, 'id' | 'programId' | 'createdAt'>, count: number) => {
  const lastPaid = lastPayments(world.deps().table, payout, count);
  return Promise.all(partners.map((id) => lastPaid({ programId, id })));
};

const queries = async (run: () => Promise<unknown>): Promise<number> =>
  (await sentCalls(run)).filter(({ name }) => name === 'QueryCommand').length;

it.each([0, 1, 2, 3, 4])(
  'the dates of partners’ last payments before payout %i are the same whether few or many partners are requested',
  async (n) => {
    const before = paidIn.slice(0, n);
    const expected = partners.map((id) => payouts[before.findLastIndex((paid) => paid.includes(id))]?.createdAt);
    expect(await lastPaidOf(payouts[n]!, 1)).toEqual(expected);
    expect(await lastPaidOf(payouts[n]!, MANY)).toEqual(expected);
  },
);

it('many partners’ last payments are read from the last two payouts, and only for other partners from their own lists', async () => {
  const preview = { id: PREVIEW, programId, createdAt: NOW.toISOString() };
  const expected = [3, 4, 1, 2, 3].map((n) => payouts[n]!.createdAt);
  const ask = (count: number) => async () => expect(await lastPaidOf(preview, count)).toEqual([...expected, undefined]);
  expect(await queries(ask(1))).toBe(6);
  expect(await queries(ask(MANY))).toBe(1 + 3);
  // All payouts before the third are read, so no one else was paid.
  expect(await queries(() => lastPaidOf(payouts[2]!, MANY))).toBe(1);
});
