import { describe, expect, it } from 'vitest';
import { earned, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { NOW } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const ROUNDS = 8;

/** Creates a commission of 980 with functions for every possible change. */
async function contested() {
  const own = await ownedBrand(world);
  const [id = 0] = await earned(own, 1);
  const [name] = await world.items(`COMMISSION#${id}`);
  const transactionId = String(name!.sk).replace('OF#', '');
  const path = `${own.path}/commissions/${id}`;
  return {
    own,
    approve: () => own.owner.post(`${path}/approve`),
    reject: () => own.owner.post(`${path}/reject`, { reason: 'Fraud' }),
    refund: (cents?: number) => refunded(own, { transaction_id: transactionId, refund_amount_cents: cents }),
    pay: () => own.owner.post(`${own.path}/payouts`),
    left: async () => (await saleItems(world, transactionId)).commission!,
  };
}

interface Row {
  readonly action: string;
  readonly from: string | null;
  readonly to: string;
}

/** Expects that no change is lost: each row starts where the previous one ended, and the last is the current state. */
function expectUnbrokenHistory({ history, status }: Record<string, unknown>): string[] {
  const rows = history as Row[];
  rows.forEach((row, n) => expect(row.from).toBe(n === 0 ? null : rows[n - 1]!.to));
  expect(rows.at(-1)!.to).toBe(status);
  return rows.map(({ action }) => action);
}

const paidIn = async (payoutIds: number[]): Promise<number> => {
  const payouts = await Promise.all(payoutIds.map((id) => world.deps().table.get<Payout>(keys.payout(id))));
  return payouts.reduce((sum, payout) => sum + (payout?.sums?.['USD']?.amountCents ?? 0), 0);
};

for (let round = 1; round <= ROUNDS; round++)
  describe(`a commission that is changed in parallel, round ${round},`, () => {
    it('by an approval and a rejection is changed by one of them, and the other is refused', async () => {
      const { approve, reject, left } = await contested();
      const [one, other] = await Promise.all([approve(), reject()]);
      expect(other.status).toBe(one.status === 200 ? 409 : 200);
      const commission = await left();
      expect(commission.status).toBe(one.status === 200 ? 'approved' : 'rejected');
      expect(expectUnbrokenHistory(commission)).toHaveLength(2);
    });

    it('by an approval, a rejection and a partial refund has one history row for each of these that succeeded', async () => {
      const { approve, reject, refund, left } = await contested();
      const [approval, rejection, partial] = await Promise.all([approve(), reject(), refund(2450)]);
      expect(partial.status).toBe(200);
      const commission = await left();
      const actions = expectUnbrokenHistory(commission);
      expect(actions.includes('approved')).toBe(approval.status === 200);
      expect(actions.includes('rejected')).toBe(rejection.status === 200);
      expect(actions.includes('deducted')).toBe(partial.body.status === 'refunded');
      expect(commission.deductedCents).toBe(partial.body.status === 'refunded' ? 490 : 0);
    });

    it('by a payout and a partial refund is paid at the reduced amount, or in full and then marked for review', async () => {
      const { approve, refund, pay, left } = await contested();
      await approve();
      const [payment, refunding] = await Promise.all([pay(), refund(2450)]);
      expect([payment.status, refunding.body.status]).toEqual([200, 'refunded']);
      const commission = await left();
      expectUnbrokenHistory(commission);
      expect(commission).toMatchObject({ status: 'paid', deductedCents: 490 });
      const paid = await paidIn([payment.body.data.id]);
      expect(commission.paidOutCents).toBe(paid);
      expect([490, 980]).toContain(paid);
      expect(commission.needsReview).toBe(paid === 980 ? true : undefined);
    });

    it('by a payout of all partners and a payout of one partner is paid once', async () => {
      const { own, approve, pay, left } = await contested();
      await approve();
      const ofPartner = () => own.owner.post(`${own.path}/payouts`, { partner_id: own.partner.id });
      const replies = await Promise.all([pay(), ofPartner(), pay()]);
      const answered = replies.filter(({ status }) => status === 200);
      expect(answered).toHaveLength(1);
      expect(replies.filter(({ status }) => status === 409)).toHaveLength(2);
      const paid = answered[0]!.body.data;
      expect(await left()).toMatchObject({ status: 'paid', paidOutCents: 980, payoutId: paid.id });
      expect(paid).toMatchObject({ created_at: NOW.toISOString(), totals: { USD: 980 } });
    });
  });
