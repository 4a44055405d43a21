import { beforeEach, describe, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { codedError, platformError } from '#test/support/servers/errors.ts';
import { expectNothingHalfWritten, storedItems } from '#test/support/table/invariants.ts';
import { failing, replyLost } from '#test/support/table/faults.ts';
import {
  changeProgram,
  clicked,
  removePartner,
  signedUp,
  unlinkPartner,
  sold,
  soldTo,
} from '#test/support/payments/lives/journeys.ts';
import { invoiced, saleOf } from '#test/support/payments/payers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import {
  charge,
  deliver,
  deliverAt,
  directEndpoint,
  dispute,
  openProcessor,
  type StripeEvent,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Transaction ids are unique over all programs. If another tenant uses our id, the 409 must not look like success.

openProcessor();

const world = openedWorld();
let own: OwnedBrand;
let stranger: OwnedBrand;
let id: string;
let taken: number;
let orders = 0;
beforeEach(async () => {
  [own, stranger] = [await ownedBrand(world), await ownedBrand(world)];
  id = `order ${++orders} ä`;
  ({ sale_id: taken } = await soldTo(stranger, 'theirs', { transaction_id: id }));
  await signedUp(own, 'ours');
});

const daysLater = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const LATER = daysLater(3);
const duplicate = (details: object) =>
  codedError(409, 'duplicate_transaction', 'Duplicate transaction_id. This sale has already been recorded.', details);
const sell = (body: object = {}, at = NOW) =>
  send(sale, {
    key: own.key,
    body: { transaction_id: id, amount_cents: 4900, customer_key: 'ours', ...body },
    at,
  });
const ownId = () => `${own.program.id}_${id}`;
const listed = async (at = NOW) => (await own.owner.get(`${own.path}/processor/payments`, { at })).body.data;
const retry = (of = id, at = LATER) =>
  own.owner.post(`${own.path}/processor/payments/retry?event_id=${encodeURIComponent(of)}`, undefined, { at });
const recorded = { data: { recorded: true, reason: null } };
const stillNot = (reason: string) => ({ data: { recorded: false, reason } });
const row = (more: object = {}) => ({
  event_id: null,
  event_type: 'api',
  transaction_id: id,
  amount_cents: 4900,
  currency: 'USD',
  reason: 'id_used_elsewhere',
  detail: null,
  at: NOW.toISOString(),
  ...more,
});
/** Our own sales under ids within the program. */
const ownSales = async () =>
  (await storedItems(world)).filter(
    ({ pk, sk, programId }) =>
      sk === 'SALE' && String(pk).startsWith(`SALE#${ownId()}`) && programId === own.program.id,
  );
const suffixed = () => new RegExp(`^${RegExp.escape(ownId())}_[0-9a-z]{26}$`, 'u');
const takenByStranger = async (...ids: string[]) => {
  await signedUp(stranger, 'squatter');
  for (const transactionId of ids) await sold(stranger, { transaction_id: transactionId, customer_key: 'squatter' });
};
const mailingOf = (of: OwnedBrand, day: string) =>
  world.items(keys.mailing(mailIdOf({ kind: 'sale_id_in_use', fact: `${of.program.id} ${day}` })).pk);

describe('the reply to a sale whose transaction id is already recorded', () => {
  it('says that the id belongs to another program', async () => {
    expect(await sell()).toMatchObject({ status: 409, body: duplicate({ sale_id: taken, own: false }) });
    expect(await world.items(`SALE#${id}`)).toMatchObject([
      { programId: stranger.program.id },
      { programId: stranger.program.id },
    ]);
  });

  it('says that the id belongs to the program itself, and no mail is sent', async () => {
    const { sale_id: saleId } = await sold(own, { transaction_id: `${id} own`, customer_key: 'ours' });
    const again = await sell({ transaction_id: `${id} own` });
    expect(again).toMatchObject({ status: 409, body: duplicate({ sale_id: saleId, own: true }) });
    expect(await listed()).toEqual([]);
    expect(await mailingOf(own, '2026-11-20')).toEqual([]);
  });

  it('says that the id belongs to another program even for a test sale, of which nothing is stored', async () => {
    const test = { additional_data: { test_mode: true } };
    expect((await sell(test)).body).toEqual(duplicate({ sale_id: taken, own: false }));
    expect(await listed()).toEqual([]);
    expect(await mailingOf(own, '2026-11-20')).toEqual([]);
  });

  it('says that a real sale is not recorded if a test sale of the program has its id, and its owner can record it', async () => {
    const rehearsed = { transaction_id: `${id} rehearsed` };
    const { eventId } = (await sell({ ...rehearsed, additional_data: { test_mode: true } })).body.data;
    const refusal = { status: 409, body: duplicate({ sale_id: eventId, own: false }) };
    expect(await sell(rehearsed)).toMatchObject(refusal);
    expect(await sell(rehearsed)).toMatchObject(refusal);
    expect(await listed()).toEqual([row(rehearsed)]);
    expect((await retry(rehearsed.transaction_id)).body).toEqual(recorded);
    expect(await listed(LATER)).toEqual([]);
    expect(await ownSales()).toMatchObject([{ transactionId: `${ownId()} rehearsed`, amountCents: 4900 }]);
    expect((await sell(rehearsed, LATER)).body).toEqual(duplicate({ sale_id: (await ownSales())[0]?.id, own: true }));
    await expectNothingHalfWritten(world);
  });

  it('says so also if the test sale is stored between its read and its write', async () => {
    const rehearsed = { transaction_id: `${id} at once` };
    const [test, real] = await Promise.all([
      sell({ ...rehearsed, additional_data: { test_mode: true } }),
      sell(rehearsed),
    ]);
    expect([test.status, real.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    const [refused, isOwn] = test.status === 200 ? [real, false] : [test, true];
    expect(refused.body.error.details).toMatchObject({ own: isOwn });
  });
});

describe('owners of a program that sends transaction ids recorded by other programs', () => {
  it('get one mail per program and day, for any number of sales', async () => {
    await Promise.all(Array.from({ length: 10 }, () => sell()));
    await sell({ transaction_id: id, amount_cents: 5 });
    expect(await mailingOf(own, '2026-11-20')).toMatchObject([
      { kind: 'sale_id_in_use', to: { ownersOf: own.program.workspaceId }, data: { programId: own.program.id } },
    ]);
    await sell({}, daysLater(1));
    expect(await mailingOf(own, '2026-11-21')).toHaveLength(1);
    expect(await mailingOf(stranger, '2026-11-20')).toEqual([]);
  });

  it('see one row per transaction id in the list, with the last request', async () => {
    await sell();
    await sell({ amount_cents: 1 }, daysLater(1));
    expect(await listed()).toEqual([row({ amount_cents: 1, at: daysLater(1).toISOString() })]);
  });
});

describe('retrying a sale that was rejected because another program has its transaction id', () => {
  it('records the sale under an id that contains the program’s id, with its payment time and all sent fields', async () => {
    await signedUp(own, 'early', { at: new Date('2026-11-20T11:00:00.000Z') });
    const body = { customer_key: 'early', sale_type: 'subscription', subscription_id: 'sub_1', tax_cents: 100 };
    await sell({ ...body, occurred_at: '2026-11-20T12:00:00.000Z' });
    const reply = await retry();
    expect(reply).toMatchObject({ status: 200, body: recorded });
    expect(await world.items(`SALE#${ownId()}`)).toMatchObject([
      { sk: 'COMMISSION', programId: own.program.id, partnerId: own.partner.id },
      {
        sk: 'SALE',
        programId: own.program.id,
        occurredAt: '2026-11-20T12:00:00.000Z',
        createdAt: LATER.toISOString(),
        saleType: 'subscription',
        isRecurring: false,
        subscriptionId: 'sub_1',
        taxCents: 100,
        source: 'api',
      },
    ]);
    expect(await listed(LATER)).toEqual([]);
    const { data: audit } = (await own.owner.get('/workspace/audit', { at: LATER })).body;
    expect(audit[0]).toMatchObject({ action: 'payment.retried', target: { type: 'payment', id } });
  });

  it('takes the time of the first request as payment time if the sale had none', async () => {
    await sell();
    await sell({}, daysLater(1));
    await retry();
    expect((await world.items(`SALE#${ownId()}`))[1]).toMatchObject({ occurredAt: NOW.toISOString() });
  });

  it('accepts the transaction id in the path, or in the query if a path cannot contain it', async () => {
    await sell();
    const inPath = await own.owner.post(`${own.path}/processor/payments/${encodeURIComponent(id)}/retry`);
    expect(inPath.body).toEqual(recorded);
    id = `a/../${id}?%2F`;
    await soldTo(stranger, 'theirs too', { transaction_id: id });
    await sell();
    expect((await retry()).body).toEqual(recorded);
  });

  it('records one sale and one commission when called ten times in parallel', async () => {
    await sell();
    const replies = await Promise.all(Array.from({ length: 10 }, () => retry()));
    expect(replies.map(({ body }) => body)).toEqual(replies.map(() => recorded));
    expect(await world.items(`SALE#${ownId()}`)).toHaveLength(2);
    expect((await own.owner.get(`${own.path}/commissions`)).body.data).toHaveLength(1);
  });

  it('is answered 404 for a sale that is not listed and for an owner of another program', async () => {
    expect(await retry('nothing')).toMatchObject({ status: 404, body: platformError(404, 'Payment not found') });
    await sell();
    for (const path of [own.path, stranger.path]) {
      const reply = await stranger.owner.post(`${path}/processor/payments/${encodeURIComponent(id)}/retry`);
      expect(reply.status).toBe(404);
    }
  });

  it('attributes the sale or refuses it by the same rules as the sale endpoint', async () => {
    await sell({ customer_key: 'nobody' });
    expect((await retry()).body).toEqual(stillNot('unknown_click'));
    await signedUp(own, 'nobody');
    await removePartner(world, own);
    expect((await retry()).body).toEqual(stillNot('no_partner_relation'));
    await changeProgram(world, own, { removedPartnerIds: [] });
    expect((await retry()).body).toEqual(recorded);
  });

  it('records nothing and gives the reason click_after_payment if the click came after the payment', async () => {
    await sell({ occurred_at: '2026-11-20T12:00:00.000Z' });
    expect((await retry()).body).toEqual(stillNot('click_after_payment'));
    expect(await world.items(`SALE#${ownId()}`)).toEqual([]);
  });

  it('records the sale under an id with a random ending if another program also has the id that contains the program’s id', async () => {
    await sell();
    await takenByStranger(ownId(), ...Array.from({ length: 20 }, (_, n) => `${ownId()}_${n + 1}`));
    expect((await retry()).body).toEqual(recorded);
    const [one, ...more] = await ownSales();
    expect([one?.transactionId, more]).toEqual([expect.stringMatching(suffixed()), []]);
    expect(await listed(LATER)).toEqual([]);
    expect((await sell({}, LATER)).body).toEqual(duplicate({ sale_id: one?.id, own: true }));
    expect((await retry()).body).toEqual(recorded);
    const reply = await send(refund, { key: own.key, body: { transaction_id: id }, at: LATER });
    expect(reply).toMatchObject({ status: 200, body: { success: true, sale_id: one?.id } });
    expect((await own.owner.get(`${own.path}/commissions`, { at: LATER })).body.data).toMatchObject([
      { status: 'reversed' },
    ]);
    expect(await ownSales()).toHaveLength(1);
    await expectNothingHalfWritten(world);
  });

  it('records one sale if ten retries run while another program takes the id that contains the program’s id', async () => {
    await sell();
    const taking = takenByStranger(ownId(), `${ownId()}_2`);
    const [replies] = await Promise.all([Promise.all(Array.from({ length: 10 }, () => retry())), taking]);
    expect(replies.map(({ body }) => body)).toEqual(replies.map(() => recorded));
    expect(await ownSales()).toHaveLength(1);
    expect((await own.owner.get(`${own.path}/commissions`, { at: LATER })).body.data).toHaveLength(1);
    await expectNothingHalfWritten(world);
  });

  it('records one sale if ten retries run after another program took the id that contains the program’s id', async () => {
    await sell();
    await takenByStranger(ownId());
    const replies = await Promise.all(Array.from({ length: 10 }, () => retry()));
    expect(replies.map(({ body }) => body)).toEqual(replies.map(() => recorded));
    expect(await ownSales()).toHaveLength(1);
    expect((await own.owner.get(`${own.path}/commissions`, { at: LATER })).body.data).toHaveLength(1);
    await expectNothingHalfWritten(world);
  });

  it('records one sale if the first retry’s reply is lost and the retry is repeated', async () => {
    await sell();
    await takenByStranger(ownId());
    await failing('write', replyLost, () => retry());
    expect((await retry()).body).toEqual(recorded);
    expect(await ownSales()).toHaveLength(1);
    await expectNothingHalfWritten(world);
  });

  it('records nothing for an erased customer', async () => {
    await sell();
    await eraseCustomer(world.deps(), { programId: own.program.id, customerKey: 'ours' }, async () => undefined);
    expect((await retry()).body).toEqual(stillNot('id_used_elsewhere'));
    expect(await world.items(`SALE#${ownId()}`)).toEqual([]);
  });

  it('deducts refunds that the processor made while the sale was unrecorded', async () => {
    await directEndpoint(world, own);
    id = `pi_s14r${orders}`;
    await sold(stranger, { transaction_id: id, customer_key: 'theirs' });
    await sell();
    await deliver(own, stripeEvent('charge.refunded', charge(`s14r${orders}`, { amount_refunded: 900 })));
    await retry();
    expect(await saleOf(world, ownId())).toMatchObject({ refundedCents: 900 });
    await expectNothingHalfWritten(world);
  });

  it('lets a refund with the transaction id that the brand sent reverse the commission', async () => {
    await sell();
    await retry();
    const reply = await send(refund, { key: own.key, body: { transaction_id: id }, at: LATER });
    expect(reply).toMatchObject({ status: 200, body: { success: true } });
    const [commission] = (await own.owner.get(`${own.path}/commissions`, { at: LATER })).body.data;
    expect(commission).toMatchObject({ status: 'reversed' });
    const [theirs] = (await stranger.owner.get(`${stranger.path}/commissions`, { at: LATER })).body.data;
    expect(theirs).toMatchObject({ status: 'pending' });
  });
});

const saleItem = async () => saleOf(world, String((await ownSales())[0]?.transactionId));

it('a payment of Stripe’s whose id a test sale of the program has is listed, and recorded when the owner retries it', async () => {
  const person = `rehearsed${orders}x`;
  id = `in_${person}`;
  await directEndpoint(world, own);
  await sell({ additional_data: { test_mode: true } });
  const payment = invoiced(person, { metadata: { service_click_id: await clicked(own) } });
  await deliver(own, payment);
  expect(await listed()).toMatchObject([{ event_id: payment.id, reason: 'id_used_elsewhere' }]);
  expect((await retry(payment.id)).body).toEqual(recorded);
  expect(await ownSales()).toMatchObject([{ transactionId: ownId(), amountCents: 4900 }]);
  await deliverAt(LATER, own, { ...payment, id: `${payment.id}_again` });
  expect((await own.owner.get(`${own.path}/commissions`, { at: LATER })).body.data).toHaveLength(1);
  await expectNothingHalfWritten(world);
});

describe('retrying a payment of Stripe’s that was rejected because another program has its id', () => {
  let person: string;
  let clickId: string;
  let payment: StripeEvent;
  beforeEach(async () => {
    person = `s14p${orders}x`;
    id = `in_${person}`;
    await directEndpoint(world, own);
    await soldTo(stranger, 'of the processor', { transaction_id: id });
    await soldTo(stranger, 'of its retry', { transaction_id: ownId() });
    clickId = await clicked(own);
    payment = invoiced(person, { customer: `cus_${person}`, metadata: { service_click_id: clickId } });
    await deliver(own, payment);
  });

  it('records the sale under a random id', async () => {
    expect(await listed()).toMatchObject([{ event_id: payment.id, reason: 'id_used_elsewhere' }]);
    expect((await retry(payment.id)).body).toEqual(recorded);
    expect(await saleItem()).toMatchObject({
      transactionId: expect.stringMatching(suffixed()),
      amountCents: 4900,
      attribution: { clickId },
    });
    expect(await listed(LATER)).toEqual([]);
    await expectNothingHalfWritten(world);
  });

  it('records the sale once, however often it is retried and the event is delivered', async () => {
    await retry(payment.id);
    expect((await retry(payment.id)).body).toEqual(recorded);
    await deliverAt(LATER, own, { ...payment, id: `${payment.id}_again` });
    await deliverAt(LATER, own, payment);
    expect((await own.owner.get(`${own.path}/commissions`, { at: LATER })).body.data).toHaveLength(1);
  });

  it('deducts refunds made while the payment was unrecorded', async () => {
    await deliver(own, stripeEvent('charge.refunded', charge(person, { amount_refunded: 900, invoice: id })));
    await retry(payment.id);
    expect(await saleItem()).toMatchObject({ refundedCents: 900 });
    await expectNothingHalfWritten(world);
  });

  it('lets refunds, disputes and the sale endpoint find the sale by the processor’s id', async () => {
    await retry(payment.id);
    await deliverAt(LATER, own, stripeEvent('charge.refunded', charge(person, { amount_refunded: 900 })));
    expect(await saleItem()).toMatchObject({ refundedCents: 900 });
    const reply = await send(refund, {
      key: own.key,
      body: { transaction_id: id, refund_amount_cents: 1000 },
      at: LATER,
    });
    expect(reply).toMatchObject({ status: 200, body: { success: true } });
    expect(await saleItem()).toMatchObject({ refundedCents: 1000 });
    expect((await sell({}, LATER)).body).toMatchObject({
      error: { code: 'duplicate_transaction', details: { own: true } },
    });
    await deliverAt(LATER, own, stripeEvent('charge.dispute.created', dispute(person)));
    expect(await saleItem()).toMatchObject({ refundedCents: 4900 });
    await expectNothingHalfWritten(world);
  });
});

// This test is last, because the checks above would find the unlinked customer in its former partner's list.
it('an owner can record a sale that was rejected because its customer had no partner, which the audit trail lists', async () => {
  const clickId = await signedUp(own, 'loose');
  await unlinkPartner(world, own, clickId, 'loose');
  await sell({ customer_key: 'loose' });
  expect(await retry()).toMatchObject({ status: 200, body: recorded });
  const { data: audit } = (await own.owner.get('/workspace/audit', { at: LATER })).body;
  expect(audit[0]).toMatchObject({ action: 'payment.retried', target: { type: 'payment', id } });
});
