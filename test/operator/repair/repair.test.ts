import { beforeEach, describe, expect, it } from 'vitest';
import { handler as sale } from '#functions/track/sale.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { createTestTable } from '#test/support/table/create-table.ts';
import { commissionRejected, failedFirstSale, failedSale, fresh } from '#test/support/payments/failed-sales.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { changeProgram, clicked, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { operated, operator, refusedWith } from '#test/support/callers/operator.ts';
import { NOW, send, type TestReply } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// Tests of the command `sale repair`. A sale of 4900 pays 980 at 20 percent; its platform fee is 172.

const LATER = new Date('2026-11-21T08:00:00.000Z');

const world = openedWorld();
const brand = opened(() => world.brand(), beforeEach);

const buy = (id: string, body: object, at?: Date): Promise<TestReply> =>
  send(sale, { key: brand.key, body: { transaction_id: id, amount_cents: 4900, ...body }, at });
const repair = (id: string, at = LATER) => operated(world, ['sale', 'repair', '--transaction', id], at);
const repairAll = (at = LATER) => operated(world, 'sale repair --all', at);
const waiting = async () => (await world.items('SALES_TO_REPAIR')).map(({ transactionId }) => transactionId);
const customerOf = async (clickId: string) =>
  (await world.items(`CUSTOMER#${clickId}`)).find(({ sk }) => sk === 'CUSTOMER');

/** The attributes of a sale's items with their types. */
const shape = async (id: string) => {
  const items = Object.values(await saleItems(world, id)).flat();
  return items.map((item) =>
    Object.entries(item ?? {})
      .map(([name, value]) => `${name}: ${typeof value}`)
      .toSorted(),
  );
};

describe('`sale repair`, for a sale whose commission could not be created,', () => {
  it('creates the commission by the terms at the time of the sale, and gives the customer the status conversion', async () => {
    const { id, clickId, customerKey } = await failedFirstSale(brand);
    const before = await saleItems(world, id);
    const [customer, [keyed]] = [await customerOf(clickId), await world.items(`KEY#${customerKey}`)];
    expect(await waiting()).toContain(id);
    await changeProgram(world, brand, { commissionRate: 50, holdPeriodDays: 0 });

    expect(await repair(id)).toEqual({ repaired: [id], skipped: [] });
    const { sale: stored, commission } = await saleItems(world, id);
    const { terms, ...others } = before.sale;
    expect(terms).toEqual({
      commissionType: 'percent',
      commissionRate: 20,
      currency: 'USD',
      holdPeriodDays: 15,
      platformFeeBps: 350,
      version: others.termsVersion,
    });
    const commissionId = Number(commission?.id);
    const at = LATER.toISOString();
    expect(stored).toEqual({ ...others, commissionState: 'created', commissionId, changedAt: at, version: 2 });
    expect(commission).toEqual({
      pk: `SALE#${id}`,
      sk: 'COMMISSION',
      gsi1pk: `PROGRAM#${brand.program.id}#UNSETTLED_COMMISSIONS`,
      gsi1sk: `${at}#${commissionId}#${brand.partner.id}#USD#pending#980#2026-12-06T08:00:00.000Z#2026-11-20`,
      gsi2pk: `PARTNER#${brand.program.id}#${brand.partner.id}#OPEN_COMMISSIONS`,
      gsi2sk: `${at}#${commissionId}#${brand.partner.id}#USD#pending#980#2026-12-06T08:00:00.000Z#2026-11-20`,
      id: commissionId,
      programId: brand.program.id,
      partnerId: brand.partner.id,
      shortLink: brand.shortLink,
      clickId,
      saleId: before.sale.id,
      transactionId: id,
      status: 'pending',
      commissionType: 'percent',
      commissionRate: 20,
      terms: { version: 1, from: 'program', name: brand.program.name },
      baseAmountCents: 4900,
      amountCents: 980,
      deductedCents: 0,
      currency: 'USD',
      refundState: 'none',
      platformFee: { amountCents: 172, reducedCents: 0, bps: 350, currency: 'USD' },
      occurredAt: NOW.toISOString(),
      holdUntil: '2026-12-06T08:00:00.000Z',
      createdAt: at,
      history: [
        { at, actor: 'operator', action: 'created', from: null, to: 'pending', amountCents: 980, reason: null },
      ],
    });
    const conversion = { status: 'conversion', firstPurchaseAt: NOW.toISOString(), firstTerms: 1 };
    expect(await customerOf(clickId)).toEqual({ ...customer, ...conversion });
    expect(await world.items(`KEY#${customerKey}`)).toEqual([{ ...keyed, ...conversion }]);
    expect(await waiting()).not.toContain(id);
    await expectNothingHalfWritten(world);
  });

  it('leaves the same items as a sale without a failure, apart from the actor, the time and the version', async () => {
    const [failed, good] = [await failedFirstSale(brand), fresh('good')];
    await signedUp(brand, good);
    await sold(brand, { transaction_id: good, customer_key: good });
    await repair(failed.id, NOW);
    const [recorded, ...others] = await shape(good);
    const repaired = [...recorded!, 'changedAt: string', 'version: number'].toSorted();
    expect(await shape(failed.id)).toEqual([repaired, ...others]);
  });

  it('stores the sale’s customer key with the customer', async () => {
    const clickId = await clicked(brand);
    const customerKey = fresh('bound');
    const id = await failedSale(brand, { click_id: clickId, customer_key: customerKey });
    expect(await world.items(`KEY#${customerKey}`)).toEqual([]);
    await repair(id);
    expect(await customerOf(clickId)).toMatchObject({ customerKey, status: 'conversion' });
    expect(await world.items(`KEY#${customerKey}`)).toMatchObject([{ clickId, status: 'conversion' }]);
    expect((await saleItems(world, id)).sale).not.toHaveProperty('claimed');
    expect((await buy(fresh('next'), { customer_key: customerKey })).status).toBe(200);
  });

  it('does not store the sale’s customer key if another customer has got it since the sale', async () => {
    const [clickId, customerKey] = [await clicked(brand), fresh('taken')];
    const id = await failedSale(brand, { click_id: clickId, customer_key: customerKey });
    const holder = await signedUp(brand, customerKey);
    expect(await repair(id)).toEqual({ repaired: [id], skipped: [] });
    expect(await customerOf(clickId)).not.toHaveProperty('customerKey');
    expect(await world.items(`KEY#${customerKey}`)).toMatchObject([{ clickId: holder, status: 'lead' }]);
  });

  it('leaves the customer unchanged if a later sale made the customer a conversion', async () => {
    const { id, clickId, customerKey } = await failedFirstSale(brand);
    await buy(fresh('next'), { customer_key: customerKey }, LATER);
    const before = await customerOf(clickId);
    expect(before).toMatchObject({ status: 'conversion', firstPurchaseAt: LATER.toISOString() });
    expect(await repair(id)).toEqual({ repaired: [id], skipped: [] });
    expect(await customerOf(clickId)).toEqual(before);
  });

  it('creates the commission for the sale’s partner, even if the customer was unlinked after the sale', async () => {
    const { id, clickId } = await failedFirstSale(brand);
    await operated(world, `customer unlink --click-id ${clickId}`);
    expect(await repair(id)).toEqual({ repaired: [id], skipped: [] });
    expect((await saleItems(world, id)).commission).toMatchObject({ partnerId: brand.partner.id });
  });
});

describe('the operator’s command `sale repair --all`', () => {
  it('repairs every sale that waits for repair once, oldest first', async () => {
    await repairAll();
    const rest = await waiting();
    const customerKey = fresh('customer');
    await signedUp(brand, customerKey);
    const younger = await failedSale(brand, { customer_key: customerKey }, new Date(NOW.getTime() + 2000));
    const older = await failedSale(brand, { customer_key: customerKey }, new Date(NOW.getTime() + 1000));
    expect(await repairAll()).toEqual({ repaired: [older, younger], skipped: rest });
    expect(await repairAll()).toEqual({ repaired: [], skipped: rest });
    await expectNothingHalfWritten(world);
  });

  it('does nothing if the table has no sales', async () => {
    const empty = { tableName: await createTestTable() };
    expect(await operated(empty, 'sale repair --all')).toEqual({ repaired: [], skipped: [] });
    expect((await operator(empty, 'sale repair --all')).out).toEqual(['No sale lacks its commission.']);
  });
});

it('parallel runs of `sale repair` create one commission for a sale', async () => {
  const { id } = await failedFirstSale(brand);
  const quick = async () => expect(await repair(id)).toEqual({ repaired: [id], skipped: [] });
  expect(await failing('write', overtakenBy(quick), () => repair(id))).toEqual({ repaired: [], skipped: [id] });
  const { id: raced } = await failedFirstSale(brand);
  const repairs = await Promise.all([...Array.from({ length: 6 }, () => repair(raced)), repairAll(), repairAll()]);
  expect(repairs.filter(({ repaired }) => repaired.includes(raced))).toHaveLength(1);
  await expectNothingHalfWritten(world);
});

it('`sale repair` changes nothing if the table refuses to store the commission, and succeeds when it is repeated', async () => {
  const { id } = await failedFirstSale(brand);
  const before = await saleItems(world, id);
  expect(await failing('write', commissionRejected, () => repair(id))).toEqual({ repaired: [], skipped: [id] });
  expect(await saleItems(world, id)).toEqual(before);
  expect(await repair(id)).toEqual({ repaired: [id], skipped: [] });
});

it('`sale repair` fails for an unknown sale, and for a sale whose customer does not exist', async () => {
  expect(await refusedWith(world, 'sale repair --transaction nobody-sold-it')).toBe('Sale not found');
  const { id, clickId } = await failedFirstSale(brand);
  await world.deps().table.transact([{ name: 'lost', key: keys.customer(clickId), remove: true }]);
  const message = `Sale ${id} names customer ${clickId}, which does not exist`;
  expect(await refusedWith(world, ['sale', 'repair', '--transaction', id])).toBe(message);
});
