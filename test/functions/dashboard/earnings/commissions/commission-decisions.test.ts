import { describe, expect, it } from 'vitest';
import {
  commission,
  earned,
  HOLD_OVER,
  type OwnedBrand,
  ownedBrand,
  refunded,
  settledPlace,
} from '#test/support/programs/commissions.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { NOW } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { memberOf } from '#test/support/programs/people.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const brand = opened(() => ownedBrand(world));

const at = NOW.toISOString();
const created = { at, actor: 'api', action: 'created', from: null, to: 'pending', amountCents: 980, reason: null };

/** Creates a pending commission. */
async function pending(own = brand) {
  const [id = 0] = await earned(own, 1);
  const path = `${own.path}/commissions/${id}`;
  const [name] = await world.items(`COMMISSION#${id}`);
  return {
    id,
    approve: `${path}/approve`,
    reject: `${path}/reject`,
    transactionId: String(name!.sk).replace('OF#', ''),
  };
}

/** The time of a change that follows a creation at the time NOW. */
const next = new Date(NOW.getTime() + 1).toISOString();

describe('a request to approve a commission gets 200', () => {
  it('and approves a pending commission before its hold period ends, and records who approved it', async () => {
    const own = await ownedBrand(world);
    const { id, approve, transactionId } = await pending(own);
    const before = await saleItems(world, transactionId);
    expect(await own.owner.post(approve)).toEqual(
      dataReply(commission(own, { id, status: 'approved', approved_at: next, version: 2 })),
    );
    const after = await saleItems(world, transactionId);
    expect(after).toEqual({
      ...before,
      commission: {
        ...before.commission,
        gsi1sk: String(before.commission!.gsi1sk).replace('#pending#', '#approved#'),
        gsi2sk: String(before.commission!.gsi2sk).replace('#pending#', '#approved#'),
        status: 'approved',
        approvedAt: next,
        version: 2,
        history: [
          created,
          {
            at: next,
            actor: own.actor,
            action: 'approved',
            from: 'pending',
            to: 'approved',
            amountCents: 980,
            reason: null,
          },
        ],
      },
    });
  });

  it('for members too', async () => {
    const { approve } = await pending();
    const member = await memberOf(world, { id: brand.program.workspaceId });
    expect((await dashboard(member.token).post(approve)).status).toBe(200);
  });

  it.each([
    ['approved manually', true, new Date(NOW.getTime() + 1)],
    ['approved by time', false, HOLD_OVER],
  ])('and changes nothing if the commission was already %s', async (_, isByHand, when) => {
    const { approve, transactionId } = await pending();
    if (isByHand) await brand.owner.post(approve);
    const before = await saleItems(world, transactionId);
    const reply = await brand.owner.post(approve, undefined, { at: when });
    expect(reply.body.data).toMatchObject({ status: 'approved', approved_at: when.toISOString() });
    expect(await saleItems(world, transactionId)).toEqual(before);
  });
});

describe('a request to reject a commission gets 200', () => {
  it('and rejects the commission with the reason; no payout includes it afterwards', async () => {
    const own = await ownedBrand(world);
    const { id, reject, transactionId } = await pending(own);
    const before = await saleItems(world, transactionId);
    expect(await own.owner.post(reject, { reason: ' Self-referral ' })).toEqual(
      dataReply(commission(own, { id, status: 'rejected', rejection_reason: 'Self-referral', version: 2 })),
    );
    const { gsi1pk: _, gsi1sk: __, ...stays } = before.commission!;
    expect((await saleItems(world, transactionId)).commission).toEqual({
      ...stays,
      ...settledPlace(own, id),
      status: 'rejected',
      rejectionReason: 'Self-referral',
      version: 2,
      history: [
        created,
        {
          at: next,
          actor: own.actor,
          action: 'rejected',
          from: 'pending',
          to: 'rejected',
          amountCents: 980,
          reason: 'Self-referral',
        },
      ],
    });
  });

  it('with a reason of 500 characters', async () => {
    const { reject } = await pending();
    const reason = 'x'.repeat(500);
    expect((await brand.owner.post(reject, { reason })).body.data.rejection_reason).toBe(reason);
  });

  it('and the commission stays rejected if the sale is refunded later', async () => {
    const { id, reject, transactionId } = await pending();
    await brand.owner.post(reject, { reason: 'Fraud' });
    expect((await refunded(brand, { transaction_id: transactionId })).body).toMatchObject({
      status: 'skipped',
      reason: 'commission rejected',
    });
    const { body } = await brand.owner.get(`${brand.path}/sales/${transactionId}`);
    expect(body.data.commission).toEqual(
      commission(brand, {
        id,
        status: 'rejected',
        rejection_reason: 'Fraud',
        payable_cents: 980,
        platform_fee: { amount_cents: 172, reduced_cents: 172, bps: 350, currency: 'USD' },
        version: 3,
      }),
    );
  });
});

describe('a request to reject a commission gets 400', () => {
  it.each([{}, { reason: null }, { reason: '' }, { reason: '  ' }, { reason: 7 }, { reason: 'x'.repeat(501) }])(
    'for the invalid reason %j',
    async (body) => {
      const { reject } = await pending();
      expect(await brand.owner.post(reject, body)).toMatchObject(refusal(400, 'reason is required'));
    },
  );
});

describe('a request to approve or reject a commission gets 404 “Commission not found”', () => {
  it.each(['0', '-1', '1.5', 'abc', '99999999', '9007199254740993'])('for the id %s', async (id) => {
    for (const action of ['approve', 'reject']) {
      expect(await brand.owner.post(`${brand.path}/commissions/${id}/${action}`, {})).toMatchObject(
        refusal(404, 'Commission not found'),
      );
    }
  });

  it('for a commission of another program', async () => {
    const { id } = await pending();
    const other = await ownedBrand(world);
    const reply = await other.owner.post(`${other.path}/commissions/${id}/approve`);
    expect(reply).toMatchObject(refusal(404, 'Commission not found'));
  });
});

const refused = (to: string, status: string) =>
  platformError(409, `Commission status cannot be changed to ${to}. Current status: ${status}`);

describe('a request to approve or reject a commission gets 409', () => {
  /** What happened before, the resulting status, and the time of the decision. */
  const before: [
    string,
    string,
    (own: OwnedBrand, one: Awaited<ReturnType<typeof pending>>) => Promise<unknown>,
    Date?,
  ][] = [
    ['a rejection', 'rejected', (own, { reject }) => own.owner.post(reject, { reason: 'Fraud' })],
    ['a full refund', 'reversed', (own, { transactionId }) => refunded(own, { transaction_id: transactionId })],
    [
      'a payout',
      'paid',
      async (own, { approve }) => {
        await own.owner.post(approve);
        await own.owner.post(`${own.path}/payouts`);
      },
    ],
  ];

  it.each(before)('after %s, because the status is %s', async (_, status, happen) => {
    const own = await ownedBrand(world);
    const one = await pending(own);
    await happen(own, one);
    const left = await saleItems(world, one.transactionId);
    expect(await own.owner.post(one.approve)).toMatchObject({ status: 409, body: refused('approved', status) });
    expect(await own.owner.post(one.reject, { reason: 'x' })).toMatchObject({
      status: 409,
      body: refused('rejected', status),
    });
    expect(await saleItems(world, one.transactionId)).toEqual(left);
  });

  it('for a rejection after a person approved the commission or its hold period ended', async () => {
    const [byHand, byTime] = [await pending(), await pending()];
    await brand.owner.post(byHand.approve);
    const body = { reason: 'too late' };
    expect(await brand.owner.post(byHand.reject, body)).toMatchObject({
      status: 409,
      body: refused('rejected', 'approved'),
    });
    expect(await brand.owner.post(byTime.reject, body, { at: HOLD_OVER })).toMatchObject({
      status: 409,
      body: refused('rejected', 'approved'),
    });
    expect((await brand.owner.post(byTime.reject, body)).status).toBe(200);
  });
});
