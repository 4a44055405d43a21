import { beforeAll, expect, it } from 'vitest';
import { newCommission } from '#lib/domain/commission.ts';
import { commissionWrites } from '#lib/store/commissions.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/commissions.ts';
import { failing, refused } from '#test/support/faults.ts';
import { NOW } from '#test/support/request.ts';
import { openWorld, type World } from '#test/support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

const LATER = new Date('2026-12-20T10:00:00.000Z');
const COUNT = 250;

/** Commissions of 100 to 349 cents, written without their sales: what counts here is how many there are. */
async function earnedMany(own: OwnedBrand): Promise<number[]> {
  const terms = { commissionType: 'percent', commissionRate: 10, holdPeriodDays: 0, platformFeeBps: 0 } as const;
  const at = NOW.toISOString();
  const ids = Array.from({ length: COUNT }, (_, n) => own.program.id * 1_000_000 + n);
  const writes = ids.flatMap((id, n) => {
    const names = { id, saleId: id, programId: own.program.id, partnerId: own.partner.id, clickId: 'clk_1' };
    const sale = { ...names, transactionId: `many_${id}`, occurredAt: at, createdAt: at, actor: 'api' } as const;
    const payment = { amountCents: 1000 + n * 10, currency: 'USD', isRecurring: false, paidAt: NOW };
    return commissionWrites(newCommission(sale, terms, payment));
  });
  const { table } = world.deps();
  for (let first = 0; first < writes.length; first += 100) await table.transact(writes.slice(first, first + 100));
  return ids;
}

const total = Array.from({ length: COUNT }, (_, n) => 100 + n).reduce((sum, cents) => sum + cents, 0);

const whole = (own: OwnedBrand, ids: number[]) => ({
  status: 200,
  body: { data: { items: [{ partner_id: own.partner.id, amount_cents: total, commission_ids: ids }] } },
});

const pay = (own: OwnedBrand) => own.owner.post(`${own.path}/payouts`, undefined, { at: LATER });

async function expectAllPaidOnce(own: OwnedBrand, payoutIds: number[]): Promise<void> {
  const rows = await own.owner.get(`${own.path}/commissions.csv?status=paid`);
  expect(rows.body.trimEnd().split('\r\n')).toHaveLength(COUNT + 1);
  const payouts = (await Promise.all(payoutIds.map((id) => world.items(`PAYOUT#${id}`)))).flat();
  const items = payouts.flatMap(({ items: of }) => of as { amountCents: number; commissionIds: number[] }[]);
  expect(items.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(total);
  const ids = items.flatMap(({ commissionIds }) => commissionIds);
  expect(new Set(ids).size).toBe(COUNT);
  expect(ids).toHaveLength(COUNT);
  expect((await world.items(`PROGRAM#${own.program.id}`)).filter(({ sk }) => String(sk).startsWith('OPEN_'))).toEqual(
    [],
  );
}

it('pays more commissions than one transaction takes, in one payout', async () => {
  const own = await ownedBrand(world);
  const ids = await earnedMany(own);
  const reply = await pay(own);
  expect(reply).toMatchObject(whole(own, ids));
  await expectAllPaidOnce(own, [reply.body.data.id]);
  expect((await pay(own)).status).toBe(409);
});

it('ends a payout that was interrupted between two of its steps, as if nothing had happened', async () => {
  const own = await ownedBrand(world);
  const ids = await earnedMany(own);
  const broken = await failing('second write', refused('InternalServerError'), () => pay(own));
  expect(broken.status).toBe(500);
  const open = (await world.items(`PROGRAM#${own.program.id}`)).find(({ sk }) => sk === 'OPEN_PAYOUT#0#');
  expect(open).toMatchObject({ steps: 1, items: [{ commissionIds: { length: 98 } }] });

  const reply = await pay(own);
  expect(reply).toMatchObject(whole(own, ids));
  expect(reply.body.data.id).toBe(open!.id);
  await expectAllPaidOnce(own, [reply.body.data.id]);
});

it('answers each payout to one of two requests that race, and pays each commission once', async () => {
  const own = await ownedBrand(world);
  await earnedMany(own);
  const replies = await Promise.all([pay(own), pay(own), pay(own)]);
  const answered = replies.filter(({ status }) => status === 200).map(({ body }) => body.data);
  expect(replies.filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual(
    Array.from({ length: 3 - answered.length }, () => 409),
  );
  expect(new Set(answered.map(({ id }) => id)).size).toBe(answered.length);
  await expectAllPaidOnce(
    own,
    answered.map(({ id }) => id),
  );
});
