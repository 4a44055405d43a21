import { beforeAll, describe, expect, it } from 'vitest';
import { findCounter } from '#lib/service/ground/counters/counters-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { commission, HOLD_OVER, type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { held, holdAds, PAID_AD, suspect } from '#test/support/payments/held.ts';
import { sold } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { deliver, streamRecords } from '#test/support/table/stream.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { memberOf } from '#test/support/programs/people.ts';

const world = openedWorld();
let brand: OwnedBrand;
beforeAll(async () => {
  brand = await ownedBrand(world);
  await holdAds(world, brand);
});

const at = NOW.toISOString();
const flags = [{ rule: 'paid_ad', at, evidence: PAID_AD }];
const heldRow = { at, actor: 'api', action: 'created', from: null, to: 'held', amountCents: 980, reason: null };

const decided = (own: OwnedBrand, id: number, what: string, body: object = {}, when = NOW) =>
  own.owner.post(`${own.path}/commissions/${id}/${what}`, body, { at: when });
const release = (own: OwnedBrand, id: number, when = NOW) => decided(own, id, 'release', {}, when);

const refusedAs = (to: string, status: string) =>
  expect.objectContaining(refusal(409, `Commission status cannot be changed to ${to}. Current status: ${status}`));

const customerOf = async (clickId: string, customerKey: string, own = brand) => {
  const { table } = world.deps();
  return Promise.all([
    table.get<Record<string, unknown>>(keys.customer(clickId)),
    table.get<Record<string, unknown>>(keys.customerKey(customerKey, own.program.id)),
  ]);
};

const total = async (own: OwnedBrand) => {
  await deliver(await streamRecords(world));
  const { table } = world.deps();
  const counters = [
    { of: 'program', programId: own.program.id },
    { of: 'partner', programId: own.program.id, partnerId: own.partner.id },
    { of: 'link', shortLink: own.shortLink },
  ] as const;
  const found = await Promise.all(counters.map((counter) => findCounter(table, counter)));
  return found.map(({ counts: { revenueUSD, refundedUSD, commissionUSD, platformFeeUSD, pending } }) => ({
    revenueUSD,
    refundedUSD,
    commissionUSD,
    platformFeeUSD,
    pending,
  }));
};

describe('a sale that matches a rule for suspicious sales', () => {
  it('gets a held commission that names the rule, and the reply is the usual one', async () => {
    const { id, transactionId } = await held(world, brand);
    const { commission: item } = await saleItems(world, transactionId);
    expect(item).toMatchObject({ id, status: 'held', heldAt: at, flags, history: [heldRow], amountCents: 980 });
    expect(item!.gsi1sk).toContain('#held#');
  });

  it('gets a pending commission that names the rule, if the rule is set to flag and not to hold', async () => {
    const own = await ownedBrand(world);
    await suspect(world, own, 'flagged', { compared: { partnerId: own.partner.id, address: true } });
    const { commission_id: id } = await sold(own, {
      customer_key: 'flagged',
      transaction_id: `flagged_${own.program.id}`,
    });
    const listed = (await own.owner.get(`${own.path}/commissions?flagged=true`)).body.data;
    const flag = { rule: 'self_referral', at, evidence: "The customer's address is the partner's own" };
    expect(listed).toEqual([commission(own, { id, flags: [flag] })]);
    expect((await own.owner.get(`${own.path}/commissions?status=held`)).body.data).toEqual([]);
  });
});

/** The time of a change that follows a creation at the time NOW. */
const next = new Date(NOW.getTime() + 1).toISOString();

describe('a request to release a commission that a rule holds for review gets 200', () => {
  it('and makes it pending, and the rule no longer holds later commissions of the same customer', async () => {
    const own = await ownedBrand(world);
    await holdAds(world, own);
    const { id, clickId, customerKey, transactionId } = await held(world, own);
    const before = await saleItems(world, transactionId);
    expect(await release(own, id)).toEqual(
      dataReply(commission(own, { id, flags, held_at: at, released_at: next, version: 2 })),
    );
    const row = {
      at: next,
      actor: own.actor,
      action: 'released',
      from: 'held',
      to: 'pending',
      amountCents: 980,
      reason: null,
    };
    expect(await saleItems(world, transactionId)).toEqual({
      ...before,
      commission: {
        ...before.commission,
        gsi1sk: String(before.commission!.gsi1sk).replace('#held#', '#pending#'),
        gsi2sk: String(before.commission!.gsi2sk).replace('#held#', '#pending#'),
        status: 'pending',
        releasedAt: next,
        version: 2,
        history: [heldRow, row],
      },
    });
    const traits = { adCampaign: '', released: ['paid_ad'] };
    expect(await customerOf(clickId, customerKey, own)).toMatchObject([{ traits }, { traits }]);
    const again = await sold(own, { customer_key: customerKey, transaction_id: `${transactionId}_2` });
    const list = (await own.owner.get(`${own.path}/commissions`)).body.data;
    expect(list.map((each: { id: number; status: string }) => [each.id, each.status])).toEqual(
      expect.arrayContaining([[again.commission_id, 'pending']]),
    );
    expect(await saleItems(world, `${transactionId}_2`)).toMatchObject({ commission: { status: 'pending' } });
    const [audited] = (await own.owner.get('/workspace/audit')).body.data;
    expect(audited).toMatchObject({
      action: 'commission.released',
      target: { type: 'commission', id: String(id) },
      changes: { status: { from: 'held', to: 'pending' } },
    });
  });

  it('and makes it approved at once if its hold period, which started with the sale, is over', async () => {
    const { id } = await held(world, brand);
    const reply = await release(brand, id, HOLD_OVER);
    expect(reply.body.data).toMatchObject({ status: 'approved', hold_until: HOLD_OVER.toISOString() });
  });

  it('for members too', async () => {
    const { id } = await held(world, brand);
    const member = await memberOf(world, { id: brand.program.workspaceId });
    expect((await dashboard(member.token).post(`${brand.path}/commissions/${id}/release`)).status).toBe(200);
  });

  it('and does not change the customer if an owner unlinked the customer after the sale', async () => {
    const { id, clickId, customerKey } = await held(world, brand);
    const { table } = world.deps();
    await table.update(keys.customer(clickId), { set: { unlinkedAt: at, customerKey: undefined } });
    const before = await customerOf(clickId, customerKey);
    expect((await release(brand, id)).status).toBe(200);
    expect(await customerOf(clickId, customerKey)).toEqual(before);
  });

  it('for several commissions of a customer in one request, with a result for each', async () => {
    const first = await held(world, brand);
    const second = await sold(brand, { customer_key: first.customerKey, transaction_id: `${first.transactionId}_2` });
    const other = await held(world, brand);
    await decided(brand, other.id, 'reject', { reason: 'Fraud' });
    const ids = [first.id, second.commission_id, other.id];
    expect((await brand.owner.post(`${brand.path}/commissions/release`, { ids })).body).toEqual({
      data: [
        { id: ids[0], status: 'pending', error: null },
        { id: ids[1], status: 'pending', error: null },
        {
          id: ids[2],
          status: 'rejected',
          error: 'Commission status cannot be changed to pending. Current status: rejected',
        },
      ],
    });
    const traits = { adCampaign: '', released: ['paid_ad'] };
    expect(await customerOf(first.clickId, first.customerKey)).toMatchObject([{ traits }, { traits }]);
  });
});

describe('deciding a commission that a rule holds for review', () => {
  it.each([
    ['approved', 'approve'],
    ['pending', 'release'],
  ])(
    'fails with 409 for an approval before the release and for a second release (not changed to %s by %s)',
    async (to, what) => {
      const { id } = await held(world, brand);
      if (what === 'release') await release(brand, id);
      expect(await decided(brand, id, what)).toEqual(refusedAs(to, what === 'release' ? 'pending' : 'held'));
    },
  );

  it('fails with 409 for a release after the commission was rejected or reversed', async () => {
    const [rejected, reversed] = [await held(world, brand), await held(world, brand)];
    expect((await decided(brand, rejected.id, 'reject', { reason: 'Fraud' })).status).toBe(200);
    await refunded(brand, { transaction_id: reversed.transactionId });
    expect(await release(brand, rejected.id)).toEqual(refusedAs('pending', 'rejected'));
    expect(await release(brand, reversed.id)).toEqual(refusedAs('pending', 'reversed'));
  });

  it('by a rejection and a release in parallel leaves the commission rejected', async () => {
    const { id, transactionId } = await held(world, brand);
    const [released, rejected] = await Promise.all([
      release(brand, id),
      decided(brand, id, 'reject', { reason: 'Fraud' }),
    ]);
    expect(rejected.status).toBe(200);
    const { commission: item } = await saleItems(world, transactionId);
    const steps = (item!.history as { to: string }[]).map(({ to }) => to);
    expect([released.status, steps]).toEqual(
      released.status === 200 ? [200, ['held', 'pending', 'rejected']] : [409, ['held', 'rejected']],
    );
  });
});

describe('the counters of a program with a commission that a rule holds for review', () => {
  it('count the commission from its release on, less what was refunded before', async () => {
    const own = await ownedBrand(world);
    await holdAds(world, own);
    const { id, transactionId } = await held(world, own);
    const money = { revenueUSD: 4900, refundedUSD: undefined, commissionUSD: undefined, platformFeeUSD: undefined };
    const [none] = await total(own);
    expect(none).toEqual({ ...money, pending: undefined });

    await refunded(own, { transaction_id: transactionId, refund_amount_cents: 2450 });
    const [reduced] = await total(own);
    expect(reduced).toMatchObject({ refundedUSD: 2450, commissionUSD: undefined, platformFeeUSD: undefined });

    await release(own, id);
    const released = await total(own);
    for (const counted of released) {
      expect(counted).toMatchObject({ revenueUSD: 4900, refundedUSD: 2450, commissionUSD: 490 });
    }
    expect(released[0]).toMatchObject({ platformFeeUSD: 86, pending: 1 });

    await refunded(own, { transaction_id: transactionId });
    for (const counted of await total(own)) expect(counted).toMatchObject({ refundedUSD: 4900, commissionUSD: 0 });
  });
});
