import { describe, expect, it } from 'vitest';
import {
  earned,
  HOLD_OVER,
  type OwnedBrand,
  ownedBrand,
  refunded,
  settledPlace,
} from '#test/support/programs/commissions.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import {
  cancelled,
  failing,
  failingReadAfterWrite,
  failingTransactionOf,
  refused,
  replyLost,
} from '#test/support/table/faults.ts';
import { manyCommissions } from '#test/support/payments/many-commissions.ts';
import { NOW } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

/** The time of a change that follows a creation at the time NOW. */
const next = new Date(NOW.getTime() + 1).toISOString();
const reason = 'Self-referral';
const approve = (own: OwnedBrand, ids: unknown, when = NOW) =>
  own.owner.post(`${own.path}/commissions/approve`, { ids }, { at: when });
const reject = (own: OwnedBrand, ids: unknown, when = NOW) =>
  own.owner.post(`${own.path}/commissions/reject`, { ids, reason }, { at: when });

const transactionOf = async (id: number): Promise<string> =>
  String((await world.items(`COMMISSION#${id}`))[0]!.sk).replace('OF#', '');
const left = async (id: number) => (await saleItems(world, await transactionOf(id))).commission!;

const done = (id: number, status: string) => ({ id, status, error: null });
const unknown = (id: number) => ({ id, status: null, error: 'Commission not found' });
const stays = (id: number, status: string, to: string) => ({
  id,
  status,
  error: `Commission status cannot be changed to ${to}. Current status: ${status}`,
});
const failed = (id: number, { headers }: { headers: Record<string, string> }) => ({
  id,
  status: null,
  error: `Request failed (request_id: ${headers['X-Request-ID']})`,
});
const step = (own: OwnedBrand, action: string, why: string | null = null) => ({
  at: next,
  actor: own.actor,
  action,
  from: 'pending',
  to: action,
  amountCents: 980,
  reason: why,
});

describe('a request to approve many commissions gets 200', () => {
  it('and approves each listed commission, reports them in the order of the request, and does not change other commissions', async () => {
    const own = await ownedBrand(world);
    const [one = 0, other = 0, apart = 0] = await earned(own, 3);
    const before = await Promise.all([one, other, apart].map(left));
    expect(await approve(own, [other, one])).toEqual(dataReply([done(other, 'approved'), done(one, 'approved')]));
    const approvals = before.slice(0, 2).map((commission) => ({
      ...commission,
      gsi1sk: String(commission.gsi1sk).replace('#pending#', '#approved#'),
      gsi2sk: String(commission.gsi2sk).replace('#pending#', '#approved#'),
      status: 'approved',
      approvedAt: next,
      version: 2,
      history: [...(commission.history as object[]), step(own, 'approved')],
    }));
    expect(await Promise.all([one, other, apart].map(left))).toEqual([...approvals, before[2]]);
  });

  it('and does not change commissions that are already approved, by a person or because their hold period ended', async () => {
    const own = await ownedBrand(world);
    const [byHand = 0, byTime = 0] = await earned(own, 2);
    await approve(own, [byHand]);
    const before = await Promise.all([byHand, byTime].map(left));
    expect((await approve(own, [byHand, byTime], HOLD_OVER)).body).toEqual({
      data: [done(byHand, 'approved'), done(byTime, 'approved')],
    });
    expect(await Promise.all([byHand, byTime].map(left))).toEqual(before);
  });

  it('and says for each commission that was not approved why it was not', async () => {
    const [own, other] = [await ownedBrand(world), await ownedBrand(world)];
    const [rejected = 0, reversed = 0, paid = 0, fresh = 0] = await earned(own, 4);
    const [foreign = 0] = await earned(other, 1);
    await reject(own, [rejected]);
    await refunded(own, { transaction_id: await transactionOf(reversed) });
    await approve(own, [paid]);
    await own.owner.post(`${own.path}/payouts`);
    const untouched = [rejected, reversed, paid, foreign];
    const before = await Promise.all(untouched.map(left));
    const reply = await approve(own, [0, rejected, foreign, reversed, fresh, paid, -1, Number.MAX_SAFE_INTEGER]);
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        data: [
          unknown(0),
          stays(rejected, 'rejected', 'approved'),
          unknown(foreign),
          stays(reversed, 'reversed', 'approved'),
          done(fresh, 'approved'),
          stays(paid, 'paid', 'approved'),
          unknown(-1),
          unknown(Number.MAX_SAFE_INTEGER),
        ],
      },
    ]);
    expect(await Promise.all(untouched.map(left))).toEqual(before);
    expect(await left(fresh)).toMatchObject({ status: 'approved' });
  });

  it('for up to a hundred ids', async () => {
    const own = await ownedBrand(world);
    const ids = await manyCommissions(world, own.program.id, own.partner.id, 100, (n) => `bulk ${n}`);
    await own.owner.patch(own.path, { auto_approve: false });
    expect((await approve(own, ids)).body.data).toEqual(ids.map((id) => done(id, 'approved')));
    expect((await approve(own, ids.toReversed())).body.data).toEqual(
      ids.toReversed().map((id) => done(id, 'approved')),
    );
  });
});

describe('a request to reject many commissions gets 200', () => {
  it('and rejects each commission with the reason; no payout includes them afterwards', async () => {
    const own = await ownedBrand(world);
    const ids = await earned(own, 2);
    const before = await Promise.all(ids.map(left));
    expect(await own.owner.post(`${own.path}/commissions/reject`, { ids, reason: ` ${reason} ` })).toEqual(
      dataReply(ids.map((id) => done(id, 'rejected'))),
    );
    expect(await Promise.all(ids.map(left))).toEqual(
      before.map((commission) => ({
        ...commission,
        gsi1pk: undefined,
        gsi1sk: undefined,
        ...settledPlace(own, commission.id),
        status: 'rejected',
        rejectionReason: reason,
        version: 2,
        history: [...(commission.history as object[]), step(own, 'rejected', reason)],
      })),
    );
  });

  it('and says for each commission that was not rejected why it was not, even if none was', async () => {
    const own = await ownedBrand(world);
    const [rejected = 0, byHand = 0, byTime = 0] = await earned(own, 3);
    await reject(own, [rejected]);
    await approve(own, [byHand]);
    const before = await Promise.all([rejected, byHand, byTime].map(left));
    const reply = await reject(own, [byTime, rejected, byHand], HOLD_OVER);
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        data: [
          stays(byTime, 'approved', 'rejected'),
          stays(rejected, 'rejected', 'rejected'),
          stays(byHand, 'approved', 'rejected'),
        ],
      },
    ]);
    expect(await Promise.all([rejected, byHand, byTime].map(left))).toEqual(before);
  });
});

describe('a request to decide many commissions gets 400', () => {
  const wrong = platformError(400, 'ids must be a list of 1 to 100 commission ids');
  const tooMany = Array.from({ length: 101 }, (_, n) => n + 1);

  it.each([
    ['absent', undefined],
    ['null', null],
    ['not a list', { 0: 1 }],
    ['an empty list', []],
    ['101 ids', tooMany],
    ['a duplicate id', [1, 2, 1]],
    ['a string', ['1']],
    ['a null entry', [1, null]],
    ['a fraction', [1.5]],
    ['an unsafe integer', [2 ** 53]],
  ])('for invalid ids: %s', async (_, ids) => {
    const own = await ownedBrand(world);
    for (const decide of [approve, reject]) {
      expect(await decide(own, ids)).toMatchObject({ status: 400, body: wrong });
    }
  });

  it.each([undefined, null, '', '  ', 7, 'x'.repeat(501)])('for the reason %j', async (given) => {
    const own = await ownedBrand(world);
    const ids = await earned(own, 1);
    const before = await left(ids[0]!);
    const path = `${own.path}/commissions/reject`;
    expect(await own.owner.post(path, { ids, reason: given })).toMatchObject(refusal(400, 'reason is required'));
    expect(await left(ids[0]!)).toEqual(before);
    expect((await own.owner.post(path, { ids: [], reason: given })).body).toEqual(wrong);
  });
});

describe('a table failure while many commissions are decided', () => {
  it('is reported only for the commission whose write fails, and that commission can be decided again', async () => {
    const own = await ownedBrand(world);
    const [one = 0, hit = 0, other = 0] = await earned(own, 3);
    const before = await left(hit);
    const reply = await failingTransactionOf(`SALE#${await transactionOf(hit)}`, refused('InternalServerError'), () =>
      approve(own, [one, hit, other]),
    );
    expect([reply.status, reply.body]).toEqual([
      200,
      { data: [done(one, 'approved'), failed(hit, reply), done(other, 'approved')] },
    ]);
    expect(await left(hit)).toEqual(before);
    expect((await approve(own, [one, hit])).body.data).toEqual([done(one, 'approved'), done(hit, 'approved')]);
  });

  it('is reported with an unknown status if the reply to a write is lost; a repeated request reports the real status', async () => {
    const own = await ownedBrand(world);
    const [one = 0] = await earned(own, 1);
    const reply = await failing('write', replyLost, () => reject(own, [one]));
    expect([reply.status, reply.body]).toEqual([200, { data: [failed(one, reply)] }]);
    expect((await reject(own, [one])).body.data).toEqual([stays(one, 'rejected', 'rejected')]);
    expect((await left(one)).history).toHaveLength(2);
  });

  it('that hits the read after a refused write fails only that commission, and the ones after it are decided', async () => {
    const own = await ownedBrand(world);
    const [hit = 0, other = 0] = await earned(own, 2);
    // As many unknown ids as decisions run in parallel, so that the last one runs after the first.
    const nobodies = Array.from({ length: 19 }, (_, n) => -1 - n);
    const overtaken = cancelled(() => 'ConditionalCheckFailed');
    const reply = await failingReadAfterWrite(overtaken, refused('InternalServerError'), () =>
      approve(own, [hit, ...nobodies, other]),
    );
    expect(reply.body.data).toEqual([
      failed(hit, reply),
      ...nobodies.map((id) => unknown(id)),
      done(other, 'approved'),
    ]);
  });
});

describe('two requests that decide the same commissions in parallel', () => {
  it('approve each commission once if both approve', async () => {
    const own = await ownedBrand(world);
    const ids = await earned(own, 5);
    const replies = await Promise.all([approve(own, ids), approve(own, ids.toReversed())]);
    expect(replies.map(({ body }) => body.data)).toEqual([
      ids.map((id) => done(id, 'approved')),
      ids.toReversed().map((id) => done(id, 'approved')),
    ]);
    for (const id of ids) {
      expect((await left(id)).history).toEqual([expect.objectContaining({ to: 'pending' }), step(own, 'approved')]);
    }
  });

  it('decide each commission once if one approves and one rejects, and both report each commission’s final status', async () => {
    const own = await ownedBrand(world);
    const ids = await earned(own, 5);
    const [approved, rejected] = await Promise.all([approve(own, ids), reject(own, ids)]);
    const statuses = await Promise.all(ids.map(async (id) => String((await left(id)).status)));
    const told = (to: string) => ids.map((id, n) => (statuses[n] === to ? done(id, to) : stays(id, statuses[n]!, to)));
    expect([approved.body.data, rejected.body.data]).toEqual([told('approved'), told('rejected')]);
    for (const id of ids) expect((await left(id)).history).toHaveLength(2);
  });
});
