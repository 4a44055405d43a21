import { describe, expect, it } from 'vitest';
import { pendingCommissions } from '#lib/service/ground/counters/counter-readings-items.ts';
import {
  commission,
  earned,
  HOLD_OVER,
  type OwnedBrand,
  ownedBrand,
  refunded,
} from '#test/support/programs/commissions.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { held, holdAds } from '#test/support/payments/held.ts';
import { memberOf } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';
import { operated } from '#test/support/callers/operator.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { momentsAfter } from '#test/support/table/moments.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import { failing, overtakenBy, sentAgain } from '#test/support/table/faults.ts';

// A sale of 4900 earns 980, with a platform fee of 172.

const world = openedWorld();
const brand = opened(() => ownedBrand(world));

const MINUTE = 60_000;
const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE);
/** The next day, still during the hold. */
const NEXT_DAY = later(24 * 60);

async function sold(own: OwnedBrand = brand) {
  const [id = 0] = await earned(own, 1);
  const [name] = await world.items(`COMMISSION#${id}`);
  return { id, transactionId: String(name!.sk).replace('OF#', '') };
}

const act = (own: OwnedBrand, id: number, what: string, body: object = {}, at = NOW) =>
  own.owner.post(`${own.path}/commissions/${id}/${what}`, body, { at });
const REASON = 'Wrong by mistake';
const reopen = (own: OwnedBrand, id: number, at = NOW) => act(own, id, 'reopen', { reason: ` ${REASON} ` }, at);
const reject = (own: OwnedBrand, id: number, at = NOW) => act(own, id, 'reject', { reason: 'Fraud' }, at);
const stored = async (transactionId: string) => (await saleItems(world, transactionId)).commission!;
const rows = async (transactionId: string) =>
  ((await stored(transactionId)).history as { action: string; from: string; to: string }[]).map(
    ({ action, from, to }) => `${action}: ${from} to ${to}`,
  );
const notPending = (status: string) =>
  refusal(409, `Commission status cannot be changed to pending. Current status: ${status}`);

/** The counted commission and fee by day, which a rebuild does not change. */
async function figures({ program, partner, shortLink }: OwnedBrand) {
  const read = async () => {
    await counted(world);
    const all = await counterItems(world);
    return [`PROGRAM#${program.id}`, `PARTNER#${program.id}#${partner.id}`, `LINK#${shortLink}`].map((name) =>
      Object.fromEntries(
        Object.entries(all[name] ?? {}).filter(([what, n]) => /^(?:commission|platformFee)USD/.test(what) && n !== 0),
      ),
    );
  };
  const before = await read();
  await operated(world, `metrics rebuild --program ${program.id}`);
  expect(await read()).toEqual(before);
  expect(before).toEqual(before.map(() => before[0]));
  return before[0];
}

describe('a request to reopen a commission gets 200 and makes the commission pending', () => {
  it('after a person approved it; only a person can approve it again', async () => {
    const own = await ownedBrand(world);
    const { id, transactionId } = await sold(own);
    const before = await saleItems(world, transactionId);
    await act(own, id, 'approve');
    const at = momentsAfter(NOW, 2);
    expect(await reopen(own, id, new Date(at))).toEqual(
      dataReply(commission(own, { id, by_hand: true, version: 3 }), 2),
    );
    const { history, ...item } = await stored(transactionId);
    const { history: _, ...unchanged } = before.commission!;
    expect(item).toEqual({
      ...unchanged,
      gsi1sk: `${String(unchanged.gsi1sk)}#by_hand`,
      gsi2sk: `${String(unchanged.gsi2sk)}#by_hand`,
      byHand: true,
      version: 3,
    });
    const row = { at, actor: own.actor, action: 'reopened', from: 'approved', to: 'pending', amountCents: 980 };
    expect((history as unknown[]).at(-1)).toEqual({ ...row, reason: REASON });
    expect((await saleItems(world, transactionId)).sale).toEqual(before.sale);

    const [audited] = (await own.owner.get('/workspace/audit')).body.data;
    expect(audited).toMatchObject({
      action: 'commission.reopened',
      target: { type: 'commission', id: String(id) },
      changes: { status: { from: 'approved', to: 'pending' }, reason: { from: null, to: REASON } },
    });
    // After its hold it is neither approved nor due, nor expected to become so.
    const over = { at: HOLD_OVER };
    expect((await own.owner.get(`${own.path}/commissions?status=pending`, over)).body.data).toMatchObject([{ id }]);
    expect((await own.owner.get(`${own.path}/commissions?status=approved`, over)).body.data).toEqual([]);
    expect((await own.owner.get(`${own.path}/owed`)).body.data.USD).toMatchObject({
      pending_cents: 980,
      approved_cents: 0,
      due_now_cents: 0,
      by_date: [],
    });
    expect((await own.owner.post(`${own.path}/payouts`, {}, over)).status).toBe(409);
    expect((await act(own, id, 'approve', {}, HOLD_OVER)).body.data).toMatchObject({
      status: 'approved',
      by_hand: true,
    });
    expect((await own.owner.post(`${own.path}/payouts`, {}, over)).body.data.items).toMatchObject([
      { commission_ids: [id] },
    ]);
  });

  it('after the commission had become approved at the end of its hold period', async () => {
    const { id, transactionId } = await sold();
    expect((await reopen(brand, id, HOLD_OVER)).body.data).toEqual(
      commission(brand, { id, by_hand: true, version: 2 }),
    );
    expect(await rows(transactionId)).toEqual(['created: null to pending', 'reopened: approved to pending']);
    expect((await act(brand, id, 'approve', {}, HOLD_OVER)).status).toBe(200);
    expect((await reopen(brand, id, HOLD_OVER)).body.data).toMatchObject({ status: 'pending', approved_at: null });
    expect((await reject(brand, id, HOLD_OVER)).body.data).toMatchObject({ status: 'rejected', by_hand: true });
  });

  it('after it was rejected, and removes the rejection’s reason', async () => {
    const { id, transactionId } = await sold();
    await reject(brand, id);
    expect((await reopen(brand, id)).body.data).toEqual(commission(brand, { id, by_hand: true, version: 3 }));
    expect(await rows(transactionId)).toEqual([
      'created: null to pending',
      'rejected: pending to rejected',
      'reopened: rejected to pending',
    ]);
  });

  it('and changes nothing if it was already reopened', async () => {
    const { id, transactionId } = await sold();
    await act(brand, id, 'approve');
    const first = await reopen(brand, id);
    const before = await saleItems(world, transactionId);
    expect(await reopen(brand, id, HOLD_OVER)).toMatchObject({ status: 200, body: first.body });
    expect(await saleItems(world, transactionId)).toEqual(before);
  });

  it('even if it has no sale, such as a bonus', async () => {
    const own = await ownedBrand(world);
    const bonus = { amount_cents: 500, currency: 'USD', reason: 'Bonus' };
    const { id } = (await own.owner.post(`${own.path}/partners/${own.partner.id}/commissions`, bonus)).body.data;
    expect((await reopen(own, id)).body.data).toMatchObject({ status: 'pending', by_hand: true, reason: 'Bonus' });
    await reject(own, id);
    expect((await reopen(own, id)).body.data).toMatchObject({ status: 'pending', rejection_reason: null });
  });

  it('or makes it held again, if it was rejected while held; reports show it only once it is released', async () => {
    const own = await ownedBrand(world);
    await holdAds(world, own);
    const { id, transactionId } = await held(world, own);
    await reject(own, id);
    await refunded(own, { transaction_id: transactionId, refund_amount_cents: 2450 });
    expect((await reopen(own, id, NEXT_DAY)).body.data).toMatchObject({
      status: 'held',
      by_hand: true,
      rejection_reason: null,
      deducted_cents: 490,
      platform_fee: { amount_cents: 0, reduced_cents: 0 },
    });
    expect(await figures(own)).toEqual({});
    expect((await act(own, id, 'release', {}, HOLD_OVER)).body.data).toMatchObject({
      status: 'pending',
      payable_cents: 490,
      platform_fee: { amount_cents: 172, reduced_cents: 86 },
    });
    expect(await figures(own)).toEqual({
      commissionUSD: 490,
      'commissionUSD@2026-11-20': 490,
      platformFeeUSD: 86,
      'platformFeeUSD@2026-11-20': 86,
    });
  });

  it('together with other commissions in one request, with a result for each', async () => {
    const [approved, rejected, pending] = [await sold(), await sold(), await sold()];
    await act(brand, approved.id, 'approve');
    await reject(brand, rejected.id);
    const ids = [approved.id, rejected.id, pending.id, 1];
    const body = { ids, reason: REASON };
    expect((await brand.owner.post(`${brand.path}/commissions/reopen`, body)).body).toEqual({
      data: [
        { id: ids[0], status: 'pending', error: null },
        { id: ids[1], status: 'pending', error: null },
        { id: ids[2], status: 'pending', error: notPending('pending').body.error.message },
        { id: 1, status: null, error: 'Commission not found' },
      ],
    });
    const again = { ids: ids.slice(0, 2), reason: REASON };
    expect((await brand.owner.post(`${brand.path}/commissions/reopen`, again)).body.data).toEqual([
      { id: ids[0], status: 'pending', error: null },
      { id: ids[1], status: 'pending', error: null },
    ]);
  });
});

describe('refunds that came while a commission was rejected', () => {
  it('are deducted when the commission is reopened, and reports show the deduction on the day of the reopening', async () => {
    const own = await ownedBrand(world);
    const { id, transactionId } = await sold(own);
    await refunded(own, { transaction_id: transactionId, refund_amount_cents: 490 });
    await reject(own, id);
    await refunded(own, { transaction_id: transactionId, refund_amount_cents: 2450 });
    const before = {
      commissionUSD: 882,
      'commissionUSD@2026-11-20': 882,
      platformFeeUSD: 86,
      'platformFeeUSD@2026-11-20': 86,
    };
    expect(await figures(own)).toEqual(before);
    expect((await reopen(own, id, NEXT_DAY)).body.data).toMatchObject({
      status: 'pending',
      deducted_cents: 490,
      payable_cents: 490,
      refund_state: 'partial',
    });
    const { history, lateDeductions } = await stored(transactionId);
    expect((history as unknown[]).slice(-2)).toMatchObject([
      { action: 'reopened', from: 'rejected', to: 'pending', amountCents: 882, reason: REASON },
      { action: 'deducted', from: 'pending', to: 'pending', amountCents: 392, reason: 'refund' },
    ]);
    expect(lateDeductions).toEqual({ '2026-11-21': { deductionCents: 392, feeReductionCents: 0 } });
    const after = { ...before, commissionUSD: 490, 'commissionUSD@2026-11-21': -392 };
    expect(await figures(own)).toEqual(after);

    // A second time on the same day, and a correction that gives back.
    await reject(own, id, NEXT_DAY);
    const correction = { transaction_id: transactionId, refund_amount_cents: 0, correction: true };
    expect((await refunded(own, correction, NEXT_DAY)).body).toMatchObject({ status: 'skipped' });
    expect((await reopen(own, id, NEXT_DAY)).body.data).toMatchObject({ deducted_cents: 0, refund_state: 'none' });
    expect(await figures(own)).toMatchObject({ commissionUSD: 980, 'commissionUSD@2026-11-21': 98 });
    expect((await act(own, id, 'approve', {}, NEXT_DAY)).status).toBe(200);
  });

  it('prevent the reopening if they cover the whole sale', async () => {
    const { id, transactionId } = await sold();
    await reject(brand, id);
    await refunded(brand, { transaction_id: transactionId });
    const before = await saleItems(world, transactionId);
    expect(await reopen(brand, id)).toMatchObject(refusal(409, 'The sale of this commission was refunded in full'));
    expect(await saleItems(world, transactionId)).toEqual(before);
  });

  it('are deducted once if a refund and the reopening run in parallel, in any order', async () => {
    const own = await ownedBrand(world);
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { id, transactionId } = await sold(own);
        await reject(own, id);
        await Promise.all([
          reopen(own, id),
          refunded(own, { transaction_id: transactionId, refund_amount_cents: 2450 }),
          reopen(own, id),
        ]);
        return stored(transactionId);
      }),
    );
    for (const { status, deductedCents } of outcomes) expect([status, deductedCents]).toEqual(['pending', 490]);
    expect(await figures(own)).toMatchObject({ commissionUSD: 6 * 490 });
  });

  it('are deducted even if the commission is reopened between the read and the write of the refund’s request', async () => {
    const own = await ownedBrand(world);
    const { id, transactionId } = await sold(own);
    // Without a fee, the refund of a rejected commission does not change its item.
    await world
      .deps()
      .table.update(
        { pk: `SALE#${transactionId}`, sk: 'COMMISSION' },
        { set: { platformFee: { amountCents: 0, reducedCents: 0, bps: 0, currency: 'USD' } } },
      );
    await reject(own, id);
    await failing(
      'write',
      overtakenBy(() => reopen(own, id)),
      () => refunded(own, { transaction_id: transactionId, refund_amount_cents: 2450 }),
    );
    expect(await stored(transactionId)).toMatchObject({ status: 'pending', deductedCents: 490, byHand: true });
  });
});

describe('reopening a commission is refused', () => {
  it('with 409 if it is held for review, pending, paid or reversed', async () => {
    const own = await ownedBrand(world);
    await holdAds(world, own);
    expect(await reopen(own, (await held(world, own)).id)).toMatchObject(notPending('held'));
    const [pending, paid, reversed] = [await sold(own), await sold(own), await sold(own)];
    expect(await reopen(own, pending.id)).toMatchObject(notPending('pending'));
    await act(own, paid.id, 'approve');
    await own.owner.post(`${own.path}/payouts`);
    expect(await reopen(own, paid.id)).toMatchObject(notPending('paid'));
    await refunded(own, { transaction_id: reversed.transactionId });
    expect(await reopen(own, reversed.id)).toMatchObject(notPending('reversed'));
  });

  it('with 404 for an unknown commission, before the reason is checked, and with 400 without a reason', async () => {
    const { id } = await sold();
    const path = `${brand.path}/commissions`;
    expect(await brand.owner.post(`${path}/1/reopen`, {})).toMatchObject(refusal(404, 'Commission not found'));
    const missing = refusal(400, 'reason is required');
    for (const reason of [undefined, ' ', 7, 'x'.repeat(501)]) {
      expect(await brand.owner.post(`${path}/${id}/reopen`, { reason })).toMatchObject(missing);
      expect(await brand.owner.post(`${path}/reopen`, { ids: [id], reason })).toMatchObject(missing);
    }
    const ids = refusal(400, 'ids must be a list of 1 to 100 commission ids');
    expect(await brand.owner.post(`${path}/reopen`, { ids: [], reason: 'x' })).toMatchObject(ids);
  });

  it('with 403 to a member if its amount is above the members’ limit, but not below it', async () => {
    const own = await ownedBrand(world);
    const { id } = await sold(own);
    await reject(own, id);
    const member = dashboard((await memberOf(world, { id: own.program.workspaceId })).token);
    const ask = () => member.post(`${own.path}/commissions/${id}/reopen`, { reason: REASON });
    await own.owner.patch(own.path, { member_approval_cents: 979 });
    expect(await ask()).toMatchObject({ status: 403, body: platformError(403, 'Only a workspace owner can do this') });
    await own.owner.patch(own.path, { member_approval_cents: 980 });
    expect((await ask()).status).toBe(200);
  });
});

describe('reopening a commission in parallel with another change, or twice,', () => {
  it('succeeds together with an approval in parallel, and the status is that of the newest history entry', async () => {
    for (let n = 0; n < 4; n++) {
      const { id, transactionId } = await sold();
      await reject(brand, id);
      await reopen(brand, id);
      await act(brand, id, 'approve');
      const [reopened, approved] = await Promise.all([reopen(brand, id), act(brand, id, 'approve')]);
      expect([reopened.status, approved.status]).toEqual([200, 200]);
      const { status, history } = await stored(transactionId);
      expect(status).toBe((history as { to: string }[]).at(-1)!.to);
    }
  });

  it('is refused, or keeps the commission out of the payout, if a payout runs in parallel', async () => {
    for (let n = 0; n < 4; n++) {
      const own = await ownedBrand(world);
      const [one, other] = [await sold(own), await sold(own)];
      await Promise.all([act(own, one.id, 'approve'), act(own, other.id, 'approve')]);
      const [reopened, payout] = await Promise.all([reopen(own, one.id), own.owner.post(`${own.path}/payouts`)]);
      const paid = payout.body.data.items[0].commission_ids;
      expect(paid).toEqual(reopened.status === 200 ? [other.id] : [one.id, other.id]);
      expect(reopened).toMatchObject(reopened.status === 200 ? { status: 200 } : notPending('paid'));
      expect(await stored(one.transactionId)).toMatchObject({ status: reopened.status === 200 ? 'pending' : 'paid' });
    }
  });

  it('happens once if two people reopen it', async () => {
    const { id, transactionId } = await sold();
    await act(brand, id, 'approve');
    const both = await Promise.all([reopen(brand, id), reopen(brand, id)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await rows(transactionId)).filter((row) => row.startsWith('reopened'))).toHaveLength(1);
  });

  it('adds one history entry if its write is sent again after a lost reply', async () => {
    const { id, transactionId } = await sold();
    await act(brand, id, 'approve');
    const reply = await failing('write', sentAgain, () => reopen(brand, id));
    expect(reply).toMatchObject({ status: 200, body: { data: { status: 'pending', by_hand: true } } });
    expect((await rows(transactionId)).filter((row) => row.startsWith('reopened'))).toHaveLength(1);
  });
});

it(
  'the history of a commission that is approved and reopened 120 times stays limited to 200 entries',
  { tags: ['deep'] },
  async () => {
    const { id, transactionId } = await sold();
    for (let n = 0; n < 120; n++) {
      await act(brand, id, 'approve', {}, later(n));
      expect((await reopen(brand, id, later(n))).status).toBe(200);
    }
    const history = (await stored(transactionId)).history as { action: string }[];
    expect(history.length).toBeLessThanOrEqual(200);
    expect(history[0]).toMatchObject({ action: 'created' });
  },
);

it('the status of a program counts a reopened commission as pending even after its hold period has ended', async () => {
  const own = await ownedBrand(world);
  const [first, second] = [await sold(own), await sold(own)];
  expect(second.id).not.toBe(first.id);
  await reopen(own, first.id, HOLD_OVER);
  await counted(world);
  expect(await pendingCommissions(world.deps().table, own.program.id, HOLD_OVER)).toEqual({ stored: 2, held: 1 });
});
