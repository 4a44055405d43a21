import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { handler as everyMinute } from '#functions/schedule/outbox.ts';
import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { commissionWrites } from '#lib/service/earnings/commissions/commissions-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { failingNth } from '#test/support/table/each-call.ts';
import { changedAt, deliverFacts, type FactPump, factPump, storedFacts } from '#test/support/outbox/facts.ts';
import { signedUp, sold as commissionSold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { openMailWorld } from '#test/support/outbox/mails.ts';
import { NOW } from '#test/support/callers/request.ts';
import type { World } from '#test/support/programs/world.ts';

let world: World;
let mailbox: Awaited<ReturnType<typeof openMailWorld>>['mailbox'];
let pump: FactPump;
let own: OwnedBrand;
let sold: SaleCommission;
let held = 0;
beforeAll(async () => {
  ({ world, mailbox } = await openMailWorld({ hasFacts: true }));
  pump = await factPump(world);
});
beforeEach(async () => {
  own = await ownedBrand(world);
  const transactionId = `sold of ${own.program.id}`;
  await soldTo(own, 'u1', { transaction_id: transactionId });
  sold = (await world.deps().table.get<SaleCommission>(keys.commission(transactionId)))!;
  await pump.run();
  mailbox.answer();
});

/** Stores a commission that a rule holds. */
async function hold(at = NOW, changes: Partial<SaleCommission> = {}): Promise<void> {
  const heldAt = at.toISOString();
  const [created] = sold.history;
  const flags = [{ rule: 'velocity', at: heldAt, evidence: 'Too many clicks in a minute' } as const];
  const commission: SaleCommission = {
    ...sold,
    id: sold.id + ++held * 1_000_000,
    transactionId: `held ${held} of ${own.program.id}`,
    status: 'held',
    createdAt: heldAt,
    flags,
    heldAt,
    history: [{ ...created!, at: heldAt, to: 'held' }],
    ...changes,
  };
  await world.deps(at).table.transact(commissionWrites(commission));
}

/** The entries in the owners' digest of a day. */
const rowsOf = (day: string) => world.items(keys.digestRow(own.program.workspaceId, day, '').pk);
const dueDigests = async () =>
  (await world.items(keys.dueMail('', '').pk))
    .filter(({ workspaceId }) => workspaceId === own.program.workspaceId)
    .map(({ dueAt }) => dueAt);

/** Runs the schedule and delivers the resulting records. */
async function digestsSent(time: string) {
  await everyMinute({ time });
  await deliverAll();
  return mailbox.received.filter(({ text }) => text.includes(`/programs/${own.program.id}/`));
}
const mailedTypes = async () =>
  (await storedFacts(world, own)).filter(({ data }) => data.status === 'held').map(({ type }) => type);

/** Delivers all stream records, and those that they cause. */
async function deliverAll(at = NOW): Promise<void> {
  for (let n = 0; n < 3; n++) await pump.run(at);
}

describe('a commission that a rule holds for review', () => {
  it('is reported as created and as held, and the owners get one mail', async () => {
    await hold();
    await deliverAll();
    const { data: listed } = (await own.owner.get(`${own.path}/commissions?status=held`)).body;
    expect(listed).toHaveLength(1);
    const facts = (await storedFacts(world, own)).filter(({ data }) => data.status === 'held');
    expect(facts.map(({ type, data }) => ({ type, data })).toSorted((a, b) => (a.type < b.type ? -1 : 1))).toEqual(
      ['commission.created', 'commission.held'].map((type) => ({
        type,
        data: { program_id: own.program.id, is_test: false, ...listed[0] },
      })),
    );
    expect(await rowsOf('2026-11-20')).toMatchObject([{ programId: own.program.id, of: 'held' }]);
    expect(await dueDigests()).toEqual(['2026-11-21T06:00:00.000Z']);
    expect(await digestsSent('2026-11-21T05:59:00.000Z')).toEqual([]);
    expect(await digestsSent('2026-11-21T06:00:00.000Z')).toEqual([
      expect.objectContaining({
        subject: '1 held commission waits for you',
        tags: expect.objectContaining({ kind: 'owner_digest' }),
        text: expect.stringContaining(`/programs/${own.program.id}/commissions?status=held`),
      }),
    ]);
    expect(await dueDigests()).toEqual([]);
  });

  it('is in one mail with all commissions held on the same day; those of the next day are in another mail', async () => {
    await hold();
    await hold();
    await deliverAll();
    await hold();
    await deliverAll();
    const [told] = await digestsSent('2026-11-21T06:00:00.000Z');
    expect(told!.subject).toBe('3 held commissions wait for you');
    const tomorrow = new Date(NOW.getTime() + DAY_MS);
    await hold(tomorrow);
    await deliverAll(tomorrow);
    expect(await rowsOf('2026-11-21')).toHaveLength(1);
    expect(await digestsSent('2026-11-22T06:00:00.000Z')).toHaveLength(2);
    expect(await mailedTypes()).toHaveLength(8);
  });

  it('leads to one mail, even if its stream record is delivered again or in parallel', async () => {
    await hold();
    const records = await pump.fresh();
    await Promise.all([deliverFacts(records), deliverFacts(records)]);
    await deliverFacts(records);
    await deliverAll();
    const sent = await digestsSent('2026-11-21T06:00:00.000Z');
    expect(sent.map(({ subject }) => subject)).toEqual(['1 held commission waits for you']);
    expect((await mailedTypes()).toSorted()).toEqual(['commission.created', 'commission.held']);
  });

  it('is reported even if any one table call fails', { timeout: 60_000 }, async () => {
    for (let n = 1; ; n++) {
      own = await ownedBrand(world);
      await pump.run();
      await hold(NOW, { programId: own.program.id, partnerId: own.partner.id });
      const records = await pump.fresh();
      const done = await failingNth(n, () => deliverFacts(records));
      expect(await deliverFacts(records.slice(done ?? records.length))).toBe(records.length - (done ?? records.length));
      expect({ n, rows: (await rowsOf('2026-11-20')).length, due: await dueDigests() }).toEqual({
        n,
        rows: 1,
        due: ['2026-11-21T06:00:00.000Z'],
      });
      expect({ n, types: (await mailedTypes()).toSorted() }).toEqual({
        n,
        types: ['commission.created', 'commission.held'],
      });
      if (done === undefined) break;
    }
    await deliverAll();
  });

  it('leads to no mail if its stream record is days old, for instance after a restore', async () => {
    await hold(new Date(NOW.getTime() - 3 * DAY_MS));
    await deliverAll();
    expect(mailbox.received).toEqual([]);
    expect(await rowsOf('2026-11-17')).toEqual([]);
    expect(await dueDigests()).toEqual([]);
    expect((await mailedTypes()).toSorted()).toEqual(['commission.created', 'commission.held']);
  });

  it('leads to no mail if it belongs to a verification run', async () => {
    await hold(NOW, { shortLink: 'afftest7' });
    await deliverAll();
    expect(mailbox.received).toEqual([]);
    expect(await mailedTypes()).toEqual([]);
  });

  it('leads to no mail if its program is deleted', async () => {
    await hold();
    const records = changedAt(await pump.fresh(), NOW);
    await world.deps().table.transact([{ name: 'program', key: keys.program(own.program.id), remove: true }]);
    expect(await deliverFacts(records)).toBe(records.length);
    expect(await rowsOf('2026-11-20')).toEqual([]);
    expect(await dueDigests()).toEqual([]);
  });
});

it('a sale that a rule holds for review is reported as held, and later as released by an owner', async () => {
  await own.owner.patch(own.path, { rules: { paid_ad: 'hold' } });
  const clickId = await signedUp(own, 'advertised');
  const traits = { set: { traits: { adCampaign: '' } } };
  await world.deps().table.update(keys.customer(clickId), traits);
  await world.deps().table.update(keys.customerKey('advertised', own.program.id), traits);
  const { commission_id: id } = await commissionSold(own, {
    transaction_id: `advertised of ${own.program.id}`,
    customer_key: 'advertised',
  });
  await deliverAll();
  const at = new Date(NOW.getTime() + 60_000);
  const released = await own.owner.post(`${own.path}/commissions/${id}/release`, {}, { at });
  expect(released).toMatchObject({ status: 200, body: { data: { status: 'pending', released_at: at.toISOString() } } });
  await deliverAll(at);
  const facts = (await storedFacts(world, own)).filter(({ data }) => data.id === id);
  expect(facts.map(({ type, timestamp, data }) => `${type} ${timestamp} ${String(data.status)}`).toSorted()).toEqual([
    `commission.created ${NOW.toISOString()} held`,
    `commission.held ${NOW.toISOString()} held`,
    `commission.released ${at.toISOString()} pending`,
  ]);
  expect(facts.find(({ type }) => type === 'commission.released')!.data).toEqual({
    program_id: own.program.id,
    is_test: false,
    ...released.body.data,
  });
  expect(mailbox.received).toEqual([]);
  expect(await rowsOf('2026-11-20')).toHaveLength(1);
});
