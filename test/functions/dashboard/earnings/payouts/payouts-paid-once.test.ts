/** @module-tag deep */
import { describe, expect, it } from 'vitest';
import { handler as schedule } from '#functions/schedule/outbox.ts';
import type { Log } from '#lib/service/ground/effects/log.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { resumePayouts } from '#lib/service/earnings/recording/resume-payouts.ts';
import { freezePayouts } from '#lib/service/earnings/payouts/freeze-payouts.ts';
import { newCommission } from '#lib/service/earnings/commissions/commission.ts';
import { commissionWrites } from '#lib/service/earnings/commissions/commissions-items.ts';
import { payoutHoldWrite } from '#lib/service/programs/payout-details/payout-details-items.ts';
import { type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { failing, failingAt, overtakenBy, refused, replyLost } from '#test/support/table/faults.ts';
import { anotherPartner, soldTo } from '#test/support/payments/lives/journeys.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { recordedLines } from '#test/support/programs/recorded-payout.ts';
import { termsOf } from '#test/support/payments/terms.ts';

const world = openedWorld();

const LATER = new Date('2026-12-20T10:00:00.000Z');
const HELD_UNTIL = new Date('2026-12-21T10:00:00.000Z');
const COUNT = 250;
const nothing = refusal(409, 'No approved commissions to pay out');

/** Creates commissions of 100 to 349 cents without their sales, because only the number of commissions matters here. */
async function earnedMany(own: OwnedBrand): Promise<number[]> {
  const terms = termsOf();
  const at = NOW.toISOString();
  const ids = Array.from({ length: COUNT }, (_, n) => own.program.id * 1_000_000 + n);
  const writes = ids.flatMap((id, n) => {
    const names = { id, saleId: id, programId: own.program.id, partnerId: own.partner.id, clickId: 'clk_1' };
    const sale = { ...names, transactionId: `many_${id}`, occurredAt: at, createdAt: at, actor: 'api' } as const;
    const payment = { amountCents: 1000 + n * 10, currency: 'USD', isRecurring: false, paidAt: NOW } as const;
    return commissionWrites(newCommission(sale, terms, payment));
  });
  const { table } = world.deps();
  for (let first = 0; first < writes.length; first += 100) await table.transact(writes.slice(first, first + 100));
  return ids;
}

const total = Array.from({ length: COUNT }, (_, n) => 100 + n).reduce((sum, cents) => sum + cents, 0);

const whole = (own: OwnedBrand, ids: number[]) => ({
  status: 200,
  body: {
    data: {
      status: 'made',
      items: [{ partner_id: own.partner.id, amount_cents: total, commission_ids: ids }],
      totals: { USD: total },
    },
  },
});

const pay = (own: OwnedBrand, body?: object) => own.owner.post(`${own.path}/payouts`, body, { at: LATER });
const listed = async (own: OwnedBrand) => (await own.owner.get(`${own.path}/payouts`, { at: LATER })).body.data;
const read = (own: OwnedBrand, id: number) => own.owner.get(`${own.path}/payouts/${id}`, { at: LATER });

/** Expects that every commission is paid in one of these payouts, and that no payout is open. */
async function expectAllPaidOnce(own: OwnedBrand, ids: number[], payoutIds: number[]): Promise<void> {
  const rows = await own.owner.get(`${own.path}/commissions.csv?status=paid`);
  expect(rows.body.trimEnd().split('\r\n')).toHaveLength(ids.length + 1);
  const list = await listed(own);
  expect(list.map(({ id }: { id: number }) => id)).toEqual(payoutIds.toSorted((a, b) => b - a));
  expect(list.every(({ status }: { status: string }) => status === 'made')).toBe(true);
  const payouts = await Promise.all(payoutIds.map((id) => read(own, id)));
  const items = payouts.flatMap(({ body }) => body.data.items as { amount_cents: number; commission_ids: number[] }[]);
  expect(items.flatMap(({ commission_ids: of }) => of).toSorted((a, b) => a - b)).toEqual(ids);
  expect(items.reduce((sum, { amount_cents: cents }) => sum + cents, 0)).toBe(total);
  expect((await world.items(`PROGRAM#${own.program.id}`)).filter(({ sk }) => String(sk).startsWith('OPEN_'))).toEqual(
    [],
  );
}

/** Starts a payout that stops before its last two steps. */
async function interrupted(own: OwnedBrand): Promise<{ ids: number[]; openId: number }> {
  const ids = await earnedMany(own);
  const broken = await failing('second write', refused('InternalServerError'), () => pay(own));
  expect(broken.status).toBe(500);
  const [{ id, status }] = await listed(own);
  expect(status).toBe('open');
  return { ids, openId: id };
}

it('a payout can pay more commissions than fit into one transaction', async () => {
  const own = await ownedBrand(world);
  const ids = await earnedMany(own);
  const reply = await pay(own);
  expect(reply).toMatchObject(whole(own, ids));
  await expectAllPaidOnce(own, ids, [reply.body.data.id]);
  expect(await pay(own)).toMatchObject(nothing);
});

/** The number of commissions named in a write. */
const idsIn = (writes: unknown) =>
  (JSON.stringify(writes).match(/"commissionIds":\[[^\]]*\]/g) ?? []).join(',').match(/\d+/g)?.length;

it('each step of a payout writes only that step’s commissions', async () => {
  const own = await ownedBrand(world);
  await earnedMany(own);
  const calls = await sentCalls(() => pay(own));
  const steps = calls.filter(({ name }) => name === 'TransactWriteCommand').map(({ input }) => input.TransactItems);
  // A further step of a line also changes the line's sums.
  expect(steps.map(idsIn)).toEqual([94, 93, 63]);
});

const scheduled = (seconds: number) => schedule({ time: new Date(LATER.getTime() + seconds * 1_000).toISOString() });

describe('a payout that was interrupted between two steps', () => {
  it('is shown as open, with the commissions paid so far', async () => {
    const own = await ownedBrand(world);
    const { openId } = await interrupted(own);
    const held = Array.from({ length: 94 }, (_, n) => 349 - n).reduce((sum, cents) => sum + cents, 0);
    expect((await read(own, openId)).body.data).toMatchObject({
      id: openId,
      status: 'open',
      items: [{ amount_cents: held, commission_ids: { length: 94 } }],
      totals: { USD: held },
    });
  });

  it('is continued by the schedule within two minutes, unless payouts are frozen', async () => {
    const own = await ownedBrand(world);
    const { ids, openId } = await interrupted(own);
    const progress = async () => (await read(own, openId)).body.data.progress;
    await scheduled(20);
    expect(await progress()).toEqual({ commissions: 94, of: COUNT });
    const freeze = (isFrozen: boolean) =>
      freezePayouts(world.deps(LATER), own.program.workspaceId, isFrozen, 'operator');
    await freeze(true);
    await scheduled(60);
    expect(await progress()).toEqual({ commissions: 94, of: COUNT });
    await freeze(false);
    await scheduled(90);
    expect(await read(own, openId)).toMatchObject(whole(own, ids));
    await expectAllPaidOnce(own, ids, [openId]);
  });

  it('is logged by each run of the schedule that cannot continue it, but not while payouts are frozen', async () => {
    const own = await ownedBrand(world);
    await interrupted(own);
    const lines: unknown[][] = [];
    const note = (...parts: unknown[]) => void lines.push(parts);
    const log: Log = { info: note, warn: note, error: note };
    const run = () => resumePayouts({ ...world.deps(new Date(LATER.getTime() + 60_000)), log });
    await freezePayouts(world.deps(LATER), own.program.workspaceId, true, 'operator');
    await run();
    expect(lines).toEqual([]);
    // As after a restore that lost the program.
    await world.deps().table.transact([{ name: 'lost', key: keys.program(own.program.id), remove: true }]);
    await run();
    expect(lines).toEqual([
      [
        'payout_delayed',
        expect.objectContaining({ message: 'Program not found' }),
        { pk: `PROGRAM#${own.program.id}` },
      ],
    ]);
  });

  it.each<[string, (other: number) => object]>([
    ['for another partner', (other) => ({ partner_id: other })],
    ['for some partners', (other) => ({ partner_ids: [other] })],
    ['for all partners but one', (other) => ({ except_partner_ids: [other] })],
    ['through another day', () => ({ through: '2020-01-01' })],
    ['for a method', () => ({ method: 'paypal' })],
    ['for a currency', () => ({ currency: 'USD' })],
    ['with details only', () => ({ only_with_details: true })],
  ])('answers 409 to a request for a payout with another selection: %s', async (_, bodyOf) => {
    const own = await ownedBrand(world);
    const { partner: other } = await anotherPartner(world, own, `Other ${own.program.id}`);
    const { openId } = await interrupted(own);
    const before = await world.items(`PAYOUT#${openId}`);
    expect(await pay(own, bodyOf(other.id))).toMatchObject(
      refusal(409, `Payout ${openId} is being recorded. Wait until it is made.`),
    );
    expect(await world.items(`PAYOUT#${openId}`)).toEqual(before);
  });

  it.each<[string, (own: OwnedBrand, openId: number) => Promise<TestReply>]>([
    ['the same request', (own) => pay(own, { only_with_details: false, partner_id: null })],
    ['a request to continue', (own, id) => own.owner.post(`${own.path}/payouts/${id}/continue`, {}, { at: LATER })],
  ])('is completed and returned by %s', async (name, goOn) => {
    const own = await ownedBrand(world);
    const { ids, openId } = await interrupted(own);
    const previewed = await own.owner.post(`${own.path}/payouts/preview`, {}, { at: LATER });
    const { id, status, lines, by_status: byStatus, progress, ...finished } = (await goOn(own, openId)).body.data;
    expect({ lines, by_status: byStatus, progress }).toEqual(recordedLines(1, { USD: total }));
    expect({ id, status }).toEqual({ id: openId, status: 'made' });
    expect(finished).toMatchObject({ through: null, totals: { USD: total } });
    const asPreviewed = { payout: null, flagged: 0, new_since_last_payout: true, same_account: [] };
    const items = finished.items.map((item: object) => ({ ...item, ...asPreviewed }));
    const counts = { lines: 1, partners: 1, commissions: COUNT, left_out: 0 };
    const rest = { left_out: [], counts, changed_terms: [], status: 'open' };
    expect(previewed.body.data).toEqual({ ...finished, items, ...rest });
    await expectAllPaidOnce(own, ids, [openId]);
    expect(await goOn(own, openId)).toMatchObject(name === 'the same request' ? nothing : whole(own, ids));
  });
});

/** The sum of this many amounts, each one cent below the previous. */
const sumDownFrom = (from: number, count: number): number =>
  Array.from({ length: count }, (_, n) => from - n).reduce((cents, more) => cents + more, 0);
const held = ({ program, partner }: OwnedBrand): Promise<void> =>
  world
    .deps()
    .table.transact([
      payoutHoldWrite({ programId: program.id, partnerId: partner.id }, { heldUntil: HELD_UNTIL.toISOString() }),
    ]);

describe('a hold on a partner’s payouts that begins between two steps of a payout', () => {
  const [taken, left] = [sumDownFrom(349, 94), sumDownFrom(255, COUNT - 94)];

  it('leaves the remaining commissions to a later payout, and the preview and the balance show that', async () => {
    const own = await ownedBrand(world);
    const { ids, openId } = await interrupted(own);
    await held(own);
    const owed = (at: Date) => own.owner.get(`${own.path}/owed`, { at });
    expect((await owed(LATER)).body.data.USD).toMatchObject({
      approved_cents: 0,
      held_cents: left,
      due_now_cents: taken,
      balance_cents: 0,
    });
    const previewed = await own.owner.post(`${own.path}/payouts/preview`, {}, { at: LATER });
    expect(previewed.body.data).toMatchObject({
      totals: { USD: taken },
      left_out: [{ partner_id: own.partner.id, amount_cents: left, reason: 'held' }],
    });
    expect((await pay(own)).body.data).toMatchObject({ id: openId, status: 'made', totals: { USD: taken } });
    expect(await pay(own)).toMatchObject(nothing);
    expect((await owed(HELD_UNTIL)).body.data.USD).toMatchObject({ held_cents: 0, due_now_cents: left });
    const { body } = await own.owner.post(`${own.path}/payouts`, {}, { at: HELD_UNTIL });
    expect(body.data).toMatchObject({ status: 'made', totals: { USD: left } });
    await expectAllPaidOnce(own, ids, [openId, body.data.id]);
  });

  it('changes nothing if it ends before the payout continues', async () => {
    const own = await ownedBrand(world);
    const { ids, openId } = await interrupted(own);
    await held(own);
    expect(await own.owner.post(`${own.path}/payouts`, {}, { at: HELD_UNTIL })).toMatchObject(whole(own, ids));
    await expectAllPaidOnce(own, ids, [openId]);
  });
});

describe('a payout whose function is interrupted', () => {
  it.each([
    ['that is not executed', refused('InternalServerError')],
    ['whose reply is lost', replyLost],
  ])('at any call is completed by the next requests (the call is one %s)', { tags: ['deep'] }, async (_, fault) => {
    let reached = 0;
    for (let at = 1; reached === 0; at += 1) {
      const own = await ownedBrand(world);
      const ids = await earnedMany(own);
      // If the payout makes fewer calls, none fails, and the loop ends.
      const broken = await failingAt(at, fault, () => pay(own)).catch((): TestReply | undefined => undefined);
      if (!broken) reached = at;
      expect([undefined, 200, 500]).toContain(broken?.status);
      const next = await pay(own);
      expect(next).toMatchObject(next.status === 409 ? nothing : whole(own, ids));
      const list = await listed(own);
      expect(list).toHaveLength(1);
      await expectAllPaidOnce(own, ids, [list[0].id]);
    }
    expect(reached).toBeGreaterThan(6);
  });

  it('is in the list of payouts if only the reply to its last write was lost; a repeated request has nothing to pay', async () => {
    const own = await ownedBrand(world);
    const id = (await soldTo(own, 'only', { transaction_id: `only ${own.program.id}` })).commission_id;
    const broken = await failing('write', replyLost, () => pay(own));
    expect(broken.status).toBe(500);
    expect(await pay(own)).toMatchObject(nothing);
    const [made] = await listed(own);
    expect(made).toMatchObject({ status: 'made', totals: { USD: 980 } });
    expect((await read(own, made.id)).body.data.items[0].commission_ids).toEqual([id]);
  });
});

describe('parallel requests for a payout', () => {
  it('pay each commission once', async () => {
    const own = await ownedBrand(world);
    const ids = await earnedMany(own);
    const replies = await Promise.all([pay(own), pay(own, { partner_id: own.partner.id }), pay(own)]);
    const answered = replies.filter(({ status }) => status === 200).map(({ body }) => body.data);
    expect(answered.length).toBeGreaterThan(0);
    // The other choice is refused while the payout is open, and finds nothing due afterwards.
    const refusals = replies.filter(({ status }) => status !== 200).map(({ body }) => body.error.message as string);
    const expected = /^No approved commissions to pay out$|^Payout \d+ is being recorded\. Wait until it is made\.$/;
    for (const message of refusals) expect(message).toMatch(expected);
    await expectAllPaidOnce(own, ids, [...new Set(answered.map(({ id }) => id))]);
  });

  it('complete and return the payout that was interrupted before', async () => {
    const own = await ownedBrand(world);
    const { ids, openId } = await interrupted(own);
    const replies = await Promise.all([pay(own), pay(own), pay(own)]);
    const told = replies.map(({ status, body }) => (status === 200 ? body.data.id : status));
    expect(told).toContain(openId);
    expect(told.every((one) => one === openId || one === 409)).toBe(true);
    await expectAllPaidOnce(own, ids, [openId]);
  });

  it('return the same payout, even if one completes it between the read and the write of the other', async () => {
    const own = await ownedBrand(world);
    const { ids, openId } = await interrupted(own);
    let other: TestReply | undefined;
    const finish = overtakenBy(async () => (other = await pay(own)));
    const reply = await failing('write', finish, () => pay(own));
    expect(reply).toMatchObject(whole(own, ids));
    expect([reply.body.data.id, other?.body.data.id]).toEqual([openId, openId]);
  });
});

const sale = (own: OwnedBrand, name: string) => ({ transaction_id: `${name} ${own.program.id}` });

describe('a commission that changes after a payout has read it', () => {
  it('is paid with its new amount', async () => {
    const own = await ownedBrand(world);
    await soldTo(own, 'kept', sale(own, 'kept'));
    await soldTo(own, 'reduced', sale(own, 'reduced'));
    const refund = overtakenBy(() => refunded(own, { ...sale(own, 'reduced'), refund_amount_cents: 2450 }, LATER));
    expect((await failing('write', refund, () => pay(own))).body.data).toMatchObject({ totals: { USD: 980 + 490 } });
  });

  it('is not paid if it was reversed', async () => {
    const own = await ownedBrand(world);
    const kept = await soldTo(own, 'kept', sale(own, 'kept'));
    await soldTo(own, 'reversed', sale(own, 'reversed'));
    const refund = overtakenBy(() => refunded(own, sale(own, 'reversed'), LATER));
    const reply = await failing('write', refund, () => pay(own));
    expect(reply.body.data.items).toMatchObject([{ amount_cents: 980, commission_ids: [kept.commission_id] }]);
  });

  it('leaves the payout with nothing to pay if it was the only one', async () => {
    const own = await ownedBrand(world);
    await soldTo(own, 'reversed', sale(own, 'reversed'));
    const refund = overtakenBy(() => refunded(own, sale(own, 'reversed'), LATER));
    expect(await failing('write', refund, () => pay(own))).toMatchObject(nothing);
    expect(await listed(own)).toEqual([]);
  });
});
