import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { attributedPart, type Customer } from '#lib/service/traffic/customers/customer.ts';
import { commissionNameKey } from '#lib/service/earnings/commissions/commission-places-items.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { browserLead, clicked, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { operated, refusedWith } from '#test/support/callers/operator.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { listingOf } from '#test/support/table/sale-items.ts';
import { createTestTable } from '#test/support/table/create-table.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

const world = openedWorld();
let brand: Brand;

const TO = new Date(NOW.getTime() + 60_000);
const check = () => operated(world, ['restore', 'check', '--to', TO.toISOString(), '--former-table-lost'], TO);
const change = (key: Key, set: Record<string, unknown>) => world.deps().table.update(key, { set });
const lose = (key: Key) => world.deps().table.transact([{ name: 'lost', key, remove: true }]);

let names = 0;
let id: string;
let clickId: string;
let commissionId: number;
/** Creates a customer who signed up and paid, and refunds half of the sale. */
beforeEach(async () => {
  // Resets the sequence as before any restore; each test's program would otherwise have ids ten thousand higher.
  await change(keys.sequence('program'), { last: names, raisedFor: undefined, raisedFrom: undefined });
  brand = await world.brand();
  id = `restored ${++names}`;
  clickId = await signedUp(brand, id);
  ({ commission_id: commissionId } = await sold(brand, { transaction_id: id, customer_key: id }));
  await send(refund, { key: brand.key, body: { transaction_id: id, refund_amount_cents: 2450 } });
  // Makes another sale, whose commission has a platform fee.
  await signedUp(brand, `other ${id}`);
  await sold(brand, { transaction_id: `other ${id}`, customer_key: `other ${id}` });
});

/** All items except sequences and counts. */
const lasting = async () =>
  (await allItems(world))
    .filter(({ pk }) => !/^(SEQUENCE|WINDOW)#/.test(String(pk)))
    .toSorted((a, b) => (`${String(a.pk)} ${String(a.sk)}` < `${String(b.pk)} ${String(b.sk)}` ? -1 : 1));

/** Incomplete transactions that the check completes. */
const halves: [string, () => Promise<unknown>, () => string[]][] = [
  [
    'a commission without its name item',
    () => lose(commissionNameKey({ id: commissionId, transactionId: id })),
    () => [`commission ${commissionId}: its name`],
  ],
  [
    'a sale missing from its customer’s list',
    () => lose(keys.saleOfCustomer(clickId, NOW.toISOString(), id)),
    () => [`sale ${id}: its place among its customer's`],
  ],
  [
    'a sale of an unconverted customer',
    () => change(keys.customer(clickId), { status: 'lead', firstPurchaseAt: undefined }),
    // The key follows the customer, and both follow the sale.
    () => [`customer ${clickId}: its key`, `sale ${id}: its customer's conversion`],
  ],
  [
    'a customer with an unbound key',
    () => lose(keys.customerKey(id, brand.program.id)),
    () => [`customer ${clickId}: its key`],
  ],
];

it('`restore check` refuses a time in the future before it changes anything', async () => {
  const before = await allItems(world);
  const later = new Date(NOW.getTime() + 1).toISOString();
  expect(await refusedWith(world, ['restore', 'check', '--to', later, '--former-table-lost'])).toBe(
    'The time of a restore (--to) must be in the past',
  );
  expect(await allItems(world)).toEqual(before);
});

it.each(halves)('`restore check` repairs %s', async (_, cut, repaired) => {
  const before = await lasting();
  await cut();
  const answer = await check();
  expect(answer).toMatchObject({ repaired: repaired(), unrepaired: [] });
  expect(answer.checked).toBeGreaterThan(0);
  expect(await lasting()).toEqual(before);
  expect(await check()).toMatchObject({ repaired: [], unrepaired: [] });
});

it('`restore check` recreates a lost commission with its id and refunds', async () => {
  const [commission] = await world.items(keys.sale(id).pk);
  await lose(keys.commission(id));
  expect(await check()).toMatchObject({ repaired: [`sale ${id}: its commission`], unrepaired: [] });
  const items = await world.items(keys.sale(id).pk);
  expect(items[0]).toMatchObject({
    id: commissionId,
    amountCents: 980,
    deductedCents: 490,
    refundState: 'partial',
    platformFee: commission!.platformFee,
  });
  expect(items.find(({ sk }) => sk === 'SALE')).toMatchObject({ commissionState: 'created', commissionId });
  expect(await world.items('SALES_TO_REPAIR')).toEqual([]);
  expect(await check()).toMatchObject({ repaired: [], unrepaired: [] });
});

it('`restore check` deletes what is left of a lost sale, so that it can be sent again', async () => {
  await lose(keys.sale(id));
  expect(await check()).toMatchObject({ repaired: [`sale ${id}: lost and can be sent again`], unrepaired: [] });
  expect(await world.items(keys.sale(id).pk)).toEqual([]);
  expect(await world.items(`COMMISSION#${commissionId}`)).toEqual([]);
  const listed = async () =>
    (await world.items(keys.customer(clickId).pk)).filter(({ sk }) => String(sk).startsWith('SALE#'));
  expect(await listed()).toEqual([]);
  expect(await sold(brand, { transaction_id: id, customer_key: id })).toMatchObject({ attributed: true });
  expect(await listed()).toEqual([listingOf(clickId, NOW, id)]);
});

it.each([
  ['the sale', () => change(keys.sale(id), { refundedCents: 0, refundReason: undefined })],
  ['the commission', () => change(keys.commission(id), { deductedCents: 0, refundState: 'none' })],
  [
    'its history row',
    async () => {
      const [, step] = await world.items(keys.sale(id).pk);
      await lose({ pk: String(step!.pk), sk: String(step!.sk) });
    },
  ],
])('`restore check` completes a refund if the restore lost the part of it in %s', async (_, cut) => {
  await cut();
  expect(await check()).toMatchObject({ repaired: [`sale ${id}: its refund`], unrepaired: [] });
  expect(await world.items(keys.sale(id).pk)).toMatchObject([
    { sk: 'COMMISSION', deductedCents: 490, refundState: 'partial' },
    { amountCents: 2450, refundedCents: 2450 },
    { sk: 'SALE', refundedCents: 2450, refundReason: 'refund' },
  ]);
  expect(await check()).toMatchObject({ repaired: [], unrepaired: [] });
});

it.each([
  ['the sale', () => change(keys.sale(id), { taxCents: undefined, baseCents: 4900 })],
  [
    'the commission',
    () => change(keys.commission(id), { baseAmountCents: 4900, amountCents: 980, deductedCents: 490 }),
  ],
])('`restore check` completes a tax if the restore lost the part of it in %s', async (_, cut) => {
  await change(keys.sale(id), { taxCents: 900, baseCents: 4000 });
  await change(keys.commission(id), { baseAmountCents: 4000, amountCents: 800, deductedCents: 400 });
  const [, step] = await world.items(keys.sale(id).pk);
  await change({ pk: String(step!.pk), sk: String(step!.sk) }, { deductionCents: 400 });
  await cut();
  const { repaired, unrepaired } = await check();
  expect([repaired, unrepaired]).toEqual([[`sale ${id}: the base of its commission`], []]);
  expect(await world.items(keys.sale(id).pk)).toMatchObject([
    { sk: 'COMMISSION', baseAmountCents: 4000, amountCents: 800, deductedCents: 400, refundState: 'partial' },
    { amountCents: 2450, deductionCents: 400 },
    { sk: 'SALE', taxCents: 900, baseCents: 4000 },
  ]);
  expect(await check()).toMatchObject({ repaired: [], unrepaired: [] });
});

it('`restore check` gives a customer the status lead if the lead is confirmed, and lets a lost lead be sent again', async () => {
  const known = await signedUp(brand, `known ${id}`);
  const lost = await signedUp(brand, `lost ${id}`);
  const waiting = await clicked(brand);
  await browserLead({ click_id: waiting });
  await change(keys.customer(known), { status: 'click', leadState: undefined, signupAt: undefined });
  await change(keys.customer(waiting), { leadState: undefined });
  await lose(keys.lead(lost));
  const { repaired, unrepaired } = await check();
  expect(unrepaired).toEqual([]);
  expect(repaired.toSorted()).toEqual(
    [
      `customer ${known}: its lead`,
      `customer ${waiting}: its lead`,
      `customer ${lost}: its lead is lost and can be sent again`,
      `customer ${lost}: its key`,
    ].toSorted(),
  );
  const customerOf = async (click: string) =>
    (await world.items(keys.customer(click).pk)).find(({ sk }) => sk === 'CUSTOMER') as unknown as Customer;
  expect(await customerOf(known)).toMatchObject({ status: 'lead', leadState: 'settled', signupAt: NOW.toISOString() });
  expect(await customerOf(waiting)).toMatchObject({ status: 'click', leadState: 'provisional' });
  const again = await customerOf(lost);
  expect(again.status).toBe('click');
  const [key] = await world.items(`KEY#lost ${id}`);
  expect(key).toMatchObject(JSON.parse(JSON.stringify(attributedPart(again))));
});

it('`restore check` reports a customer key that belongs to another customer and a commission that is missing in its payout', async () => {
  await change(keys.commission(id), { status: 'paid', paidAt: NOW.toISOString(), payoutId: 4711 });
  await change(keys.customerKey(`other ${id}`, brand.program.id), { clickId: 'clk_another' });
  const { repaired, unrepaired } = await check();
  const { workspaceId } = brand.program;
  expect(repaired).toEqual([]);
  expect(unrepaired).toEqual([
    expect.stringMatching(/^customer clk_.*: its key belongs to customer clk_another$/),
    `commission ${commissionId}: paid by payout 4711, which does not hold it`,
    `workspace ${workspaceId}: its payouts are frozen; put the above right, then payouts thaw --workspace ${workspaceId} --stage <stage>`,
  ]);
  await lose(keys.customerKey(`other ${id}`, brand.program.id));
  await change(keys.commission(id), { status: 'pending', paidAt: undefined, payoutId: undefined });
  await check();
});

const restoredTo = (seconds: number) => new Date(TO.getTime() + seconds * 1_000);
const sequencesAfter = async (to: Date, former: readonly string[], at: Date) =>
  (await operated(world, ['restore', 'check', '--to', to.toISOString(), ...former], at)).sequences;
const formerTable = async () => {
  const name = await createTestTable(world.client);
  const issued = (sequence: string, last: number) =>
    world.client.send(new PutCommand({ TableName: name, Item: { ...keys.sequence(sequence), last } }));
  return { name, issued };
};
const lastOf = async (name: string) => ((await world.items(`SEQUENCE#${name}`)) as { last: number }[])[0]?.last ?? 0;

describe('`restore check` raises each sequence of ids, only once, so that no id is issued twice:', () => {
  it('to its value in the former table', async () => {
    const former = await formerTable();
    const before = { event: await lastOf('event'), program: await lastOf('program') };
    for (const name of ['workspace', 'account', 'partner', 'agentKey']) await former.issued(name, await lastOf(name));
    await former.issued('event', before.event + 4_711);
    await former.issued('program', before.program - 1);
    const sequences = () => sequencesAfter(restoredTo(1), ['--former-table', former.name], restoredTo(61));
    const first = await sequences();
    expect(first).toMatchObject({
      event: { from: before.event, to: before.event + 4_711 },
      program: { from: before.program, to: before.program },
    });
    expect(Object.keys(first)).toEqual(['event', 'program', 'workspace', 'account', 'partner', 'agentKey']);
    await former.issued('event', before.event + 10_000);
    expect(await sequences()).toEqual(first);
  });

  it('by the largest number of ids that can have been issued since the restored time, if the former table is lost', async () => {
    const last = await lastOf('event');
    const sequences = (at: Date) => sequencesAfter(restoredTo(2), ['--former-table-lost'], at);
    const first = await sequences(restoredTo(2 + 3_600));
    expect(first.event).toEqual({ from: last, to: last + 1_000_000 + 3_600 * 4_000 });
    expect(first.program.to - first.program.from).toBe(3_600);
    expect(first.partner.to - first.partner.from).toBe(36_000);
    expect(await sequences(restoredTo(2 + 7_200))).toEqual(first);
  });

  it('but fails, and changes nothing, if the former table is named as the restored one, too', async () => {
    const before = await allItems(world);
    const words = ['restore', 'check', '--to', restoredTo(3).toISOString(), '--former-table', world.tableName];
    expect(await refusedWith(world, words, restoredTo(63))).toBe(
      'The former table (--former-table) is the one to check. Name the restored table in TABLE_NAME',
    );
    expect(await allItems(world)).toEqual(before);
  });

  it('but fails if the former table has no ids, because it must be the wrong one', async () => {
    const last = await lastOf('event');
    const { name } = await formerTable();
    expect(
      await refusedWith(
        world,
        ['restore', 'check', '--to', restoredTo(3).toISOString(), '--former-table', name],
        restoredTo(4),
      ),
    ).toBe('The former table (--former-table) has no ids. Name the table from before the restore, in the same region');
    expect(await lastOf('event')).toBe(last);
  });
});
