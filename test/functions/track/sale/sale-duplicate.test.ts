import { describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { handler } from '#functions/track/sale.ts';
import { codedError, platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { clicked, signedUp, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { NOW, send, type TestReply } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

const world = openedWorld();

const duplicateOf = (saleId: unknown, own = true) =>
  codedError(409, 'duplicate_transaction', 'Duplicate transaction_id. This sale has already been recorded.', {
    sale_id: saleId,
    own,
  });
const sell = (brand: Brand, transactionId: string, body: object): Promise<TestReply> =>
  send(handler, { key: brand.key, body: { transaction_id: transactionId, amount_cents: 4900, ...body } });
const testMode = { additional_data: { test_mode: true } };

describe('the error 409 duplicate_transaction for a sale', () => {
  it('contains the id of the stored sale, and nothing is written', async () => {
    const brand = await world.brand();
    const { sale_id: saleId } = await soldTo(brand, 'u1', { transaction_id: 'plain' });
    const before = await world.items('SALE#plain');
    const reply = await sell(brand, 'plain', { amount_cents: 1, customer_key: 'u1' });
    expect(reply).toEqual({ status: 409, headers: countedHeaders(120, 2), body: duplicateOf(saleId) });
    expect(await world.items('SALE#plain')).toEqual(before);
  });

  it('is returned if only spaces around the transaction id differ, but not if upper and lower case differ', async () => {
    const brand = await world.brand();
    const { sale_id: saleId } = await soldTo(brand, 'u1', { transaction_id: 'trimmed' });
    expect((await sell(brand, '  trimmed ', { customer_key: 'u1' })).body).toEqual(duplicateOf(saleId));
    expect((await sell(brand, 'Trimmed', { customer_key: 'u1' })).status).toBe(200);
  });

  it('is returned if another program recorded the transaction id, and that program’s customer does not change', async () => {
    const [brand, other] = [await world.brand(), await world.brand()];
    const { sale_id: saleId } = await soldTo(brand, 'u1', { transaction_id: 'global' });
    const clickId = await signedUp(other, 'u2');
    expect((await sell(other, 'global', { customer_key: 'u2' })).body).toEqual(duplicateOf(saleId, false));
    expect((await world.items(`CUSTOMER#${clickId}`))[0]).toMatchObject({ status: 'lead' });
  });

  it('is returned for a real sale after a test sale with the same id, and for a test sale after a real one', async () => {
    const [brand, other] = [await world.brand(), await world.brand()];
    const { sale_id: saleId } = await soldTo(brand, 'u1', { transaction_id: 'real_first' });
    expect((await sell(other, 'real_first', testMode)).body).toEqual(duplicateOf(saleId, false));
    expect(await world.items('SALE#real_first')).toHaveLength(2);

    const test = await sell(brand, 'test_first', testMode);
    const real = await sell(brand, 'test_first', { customer_key: 'u1' });
    expect(real.body).toEqual(duplicateOf(test.body.data.eventId, false));
    expect((await sell(brand, 'test_first', testMode)).body).toEqual(duplicateOf(test.body.data.eventId));
    expect(await world.items('SALE#test_first')).toMatchObject([{ isTest: true }]);
  });

  it('is returned even if the sale’s customer does not exist', async () => {
    const brand = await world.brand();
    const { sale_id: saleId } = await soldTo(brand, 'u1', { transaction_id: 'first' });
    for (const body of [{}, { customer_key: 'nobody' }]) {
      expect((await sell(brand, 'first', body)).body).toEqual(duplicateOf(saleId));
    }
  });
});

/** Expects that one reply is the sale, and that all others name it. @param programs that send in turn */
function expectOneWinner(replies: readonly TestReply[], programs = 1): TestReply {
  const [winner, ...others] = replies.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  const saleId = winner?.body.sale_id ?? winner?.body.data.eventId;
  const isOwn = (at: number) => at % programs === replies.indexOf(winner!) % programs;
  const expected = replies.map((reply, at) =>
    reply === winner ? winner : { ...reply, status: 409, body: duplicateOf(saleId, isOwn(at)) },
  );
  expect(replies).toEqual(expected);
  return winner!;
}

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describe('parallel sales', () => {
  it('sent 100 times with one transaction_id record exactly one sale', async () => {
    const brand = await world.brand();
    const clickId = await signedUp(brand, 'hundred');
    const winner = expectOneWinner(await times(100, () => sell(brand, 'hundred', { customer_key: 'hundred' })));
    const { sale_id: id, commission_id: commissionId } = winner.body;
    expect(await world.items('SALE#hundred')).toMatchObject([
      { sk: 'COMMISSION', id: commissionId, saleId: id },
      { sk: 'SALE', id, commissionId },
    ]);
    expect((await world.items(`CUSTOMER#${clickId}`))[0]).toMatchObject({ status: 'conversion' });
  });

  it('sent 100 times by two programs with one transaction_id record exactly one sale', async () => {
    const brands = [await world.brand(), await world.brand()] as const;
    const clickIds = [await signedUp(brands[0], 'u1'), await signedUp(brands[1], 'u1')] as const;
    const winner = expectOneWinner(
      await times(100, (index) => sell(brands[index % 2 === 0 ? 0 : 1], 'two_programs', { customer_key: 'u1' })),
      2,
    );
    const [commission, sale, ...more] = await world.items('SALE#two_programs');
    expect(more).toEqual([]);
    expect(sale).toMatchObject({ sk: 'SALE', id: winner.body.sale_id });
    expect(commission).toMatchObject({ sk: 'COMMISSION', programId: sale?.programId, saleId: sale?.id });
    const [first, second] = brands.map(({ program }) => (program.id === sale?.programId ? 'conversion' : 'lead'));
    expect((await world.items(`CUSTOMER#${clickIds[0]}`))[0]).toMatchObject({ status: first });
    expect((await world.items(`CUSTOMER#${clickIds[1]}`))[0]).toMatchObject({ status: second });
  });

  it('in test and real mode with one transaction_id record exactly one sale', async () => {
    const brand = await world.brand();
    await signedUp(brand, 'u1');
    const winner = expectOneWinner(
      await times(20, (index) => sell(brand, 'test_or_real', index % 2 === 0 ? testMode : { customer_key: 'u1' })),
    );
    const isTest = winner.body.data !== undefined;
    expect(await world.items('SALE#test_or_real')).toHaveLength(isTest ? 1 : 2);
  });

  it('that are all first sales of one customer are all recorded, and exactly one is the first purchase', async () => {
    const brand = await world.brand({ commissionType: 'recurring_percent' });
    const clickId = await signedUp(brand, 'first_sales', { at: new Date('2026-11-20T14:00:00.000Z') });
    const minutes = [0, 1, 2, 3, 4, 5, 6, 7];
    await Promise.all(
      minutes.map((minute) =>
        sold(brand, {
          transaction_id: `first_${minute}`,
          customer_key: 'first_sales',
          occurred_at: `2026-11-20T14:0${minute}:00.000Z`,
        }),
      ),
    );
    const stored = await Promise.all(minutes.map((minute) => world.items(`SALE#first_${minute}`)));
    for (const items of stored) expect(items).toMatchObject([{ sk: 'COMMISSION' }, { sk: 'SALE' }]);
    // Only the first sale was compared with the attribution window.
    const checked = stored.filter(([, sale]) => 'window' in (sale!.attribution as object));
    expect(checked).toHaveLength(1);
    const conversion = { status: 'conversion', firstPurchaseAt: checked[0]?.[1]?.occurredAt };
    expect((await world.items(`CUSTOMER#${clickId}`))[0]).toMatchObject(conversion);
    expect(await world.items('KEY#first_sales')).toMatchObject([conversion]);
  });

  it('are recorded in parallel with a lead of the same customer, which is refused if the sale was written first', async () => {
    const brand = await world.brand();
    for (let round = 0; round < 8; round++) {
      const clickId = await clicked(brand);
      const customerKey = `lead_or_sale_${round}`;
      const identifiers = { click_id: clickId, customer_key: customerKey };
      const [led, sale] = await Promise.all([
        send(lead, { key: brand.key, body: identifiers }),
        sell(brand, customerKey, identifiers),
      ]);
      expect(sale.body).toMatchObject({ attributed: true });
      // The lead came first and was settled, or came after the conversion and changed nothing.
      const lost = platformError(400, 'Customer status cannot be updated to lead. Current status: conversion');
      const isSettled = led.status === 200;
      expect(led.body).toEqual(isSettled ? { success: true, message: 'Lead tracked successfully' } : lost);
      const [customer] = await world.items(`CUSTOMER#${clickId}`);
      const [byKey] = await world.items(`KEY#${customerKey}`);
      for (const item of [customer, byKey]) {
        expect(item).toMatchObject({ clickId, status: 'conversion', customerKey });
        expect(item?.signupAt).toBe(isSettled ? NOW.toISOString() : undefined);
        expect(item?.leadState).toBe(isSettled ? 'settled' : undefined);
      }
    }
  });
});
