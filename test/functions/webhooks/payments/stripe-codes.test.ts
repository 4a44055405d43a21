import { beforeEach, describe, expect, it } from 'vitest';
import { handler as everyMinute } from '#functions/schedule/outbox.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import {
  codedScenes,
  codeEvent,
  discountedBy,
  discountOf,
  expectOneSaleByCode,
} from '#test/support/payments/coded-payments.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { cleoWithCode, givenCode } from '#test/support/programs/codes.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { cancelled, failingTransactionOf, refused } from '#test/support/table/faults.ts';
import { expectNothingHalfWritten, leftBehind } from '#test/support/table/invariants.ts';
import { anotherPartner, changeProgram, clicked, settledLead } from '#test/support/payments/lives/journeys.ts';
import { ordersOf } from '#test/support/cases/orders.ts';
import {
  commissionOf,
  customerOf,
  invoiced,
  paid,
  renewed,
  saleOf,
  subscribed,
} from '#test/support/payments/payers.ts';
import { ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { unsoldOf } from '#test/support/payments/single-payment-scenes.ts';
import {
  connected,
  deliver,
  directBrand,
  openProcessor,
  sendPlatform,
  type StripeEvent,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

openProcessor();

const world = openedWorld();
let brand: Brand;
let count = 0;
/** Part of all names in one test's payments. */
let id: string;
beforeEach(async () => {
  brand = await directBrand(world);
  id = `c${++count}x`;
});

type Fields = Record<string, unknown>;

const DAY = 86_400_000;
const day = (n: number) => new Date(+NOW + n * DAY);
const account = () => `acct_${id}`;
const promo = () => `promo_${id}`;
const discounted = (more: Fields = {}) => discountedBy(id, more);
const told = (text?: string, of = promo(), type?: string) => codeEvent(of, text, type);
const discountEvent = (of = `di_${id}`, promotionCode: unknown = promo()) => discountOf(id, of, promotionCode);

const attributionOf = async (transactionId = `cs_${id}`) =>
  (await saleOf(world, transactionId))?.attribution as Fields | undefined;
/** The checkout of a subscription that is free at first. */
const free = (more: Fields = {}) =>
  subscribed(id, { amount_total: 0, payment_status: 'no_payment_required', invoice: null, ...discounted(more) });

/** Sends account events to the platform's endpoint. */
async function send(...events: readonly StripeEvent[]): Promise<void> {
  for (const event of events) expect((await sendPlatform({ ...event, account: account() })).status).toBe(200);
}

/** The entry of a waiting session in the list of unattributed payments. */
const waiting = (more: Fields = {}) => ({
  event_type: 'checkout.session.completed',
  transaction_id: `cs_${id}`,
  amount_cents: 4900,
  currency: 'USD',
  reason: 'waiting_for_code',
  ...more,
});

const ownerOf = async () => dashboard((await ownerOfBrand(world, brand)).token);
const path = () => `/programs/${brand.program.id}`;

describe('a checkout with a partner’s promotion code', () => {
  it.each([
    ['its id', () => promo()],
    ['the whole expanded object', () => ({ id: promo(), object: 'promotion_code', code: 'OTHER' })],
  ])(
    'goes to the partner of the code whose Stripe id the owner entered: the session has %s',
    async (_, promotionCode) => {
      const cleo = await cleoWithCode(world, brand, { processorCodeId: promo() });
      await deliver(brand, paid(id, { discounts: [{ promotion_code: promotionCode() }] }));
      expect(await saleOf(world, `cs_${id}`)).toMatchObject({
        code: 'SAVE10',
        attribution: { partnerId: cleo.partner.id, resolvedBy: 'code', identifier: 'SAVE10', broughtByCode: true },
      });
      expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ partnerId: cleo.partner.id, amountCents: 980 });
    },
  );

  it('goes to the code’s partner if an earlier event or the session itself contains the code’s text, in upper or lower case', async () => {
    const cleo = await cleoWithCode(world, brand);
    await deliver(brand, told('save10', promo(), 'promotion_code.updated'), paid(id, discounted()));
    expect(await attributionOf()).toMatchObject({ partnerId: cleo.partner.id });
    const expanded = { discounts: [{ promotion_code: { id: 'promo_expanded', code: 'Save10' } }] };
    await deliver(brand, paid(`${id}b`, expanded));
    expect(await attributionOf(`cs_${id}b`)).toMatchObject({ partnerId: cleo.partner.id });
  });

  it('goes to the first of several codes that belongs to the program', async () => {
    const cleo = await cleoWithCode(world, brand, { processorCodeId: promo() });
    const discounts = [
      { coupon: 'co', promotion_code: null },
      { promotion_code: 'promo_nobodys' },
      { promotion_code: promo() },
    ];
    await deliver(brand, paid(id, { discounts }));
    expect(await attributionOf()).toMatchObject({ partnerId: cleo.partner.id });
  });

  it('makes the renewals belong to the code’s partner too, because the Stripe customer is stored for the customer', async () => {
    const cleo = await cleoWithCode(world, brand, { processorCodeId: promo() });
    const metadata = { service_customer_key: `user_${id}` };
    await deliver(brand, subscribed(id, discounted({ metadata })), invoiced(id), renewed(id));
    const { clickId } = (await attributionOf(`in_${id}`))!;
    expect(await attributionOf(`in_${id}r`)).toMatchObject({
      clickId,
      partnerId: cleo.partner.id,
      resolvedBy: 'processor_customer',
    });
    expect(await customerOf(world, String(clickId))).toMatchObject({ customerKey: `user_${id}`, source: 'code' });
    expect(await world.items(`KEY#user_${id}`)).toMatchObject([{ clickId, code: 'SAVE10', status: 'conversion' }]);
  });

  it('goes to the click’s partner with link_first and to the code’s partner with code_first, unless the customer has bought before', async () => {
    const cleo = await cleoWithCode(world, brand, { processorCodeId: promo() });
    const buy = async (name: string, more: Fields = {}) => {
      const clickId = await clicked(brand);
      await deliver(brand, paid(name, discounted({ metadata: { service_click_id: clickId }, ...more })));
      return attributionOf(`cs_${name}`);
    };
    expect(await buy(`${id}a`)).toMatchObject({
      partnerId: brand.partner.id,
      overruled: { partnerId: cleo.partner.id, by: 'code' },
    });
    await changeProgram(world, brand, { codePrecedence: 'code_first' });
    expect(await buy(`${id}b`)).toMatchObject({
      partnerId: cleo.partner.id,
      resolvedBy: 'code',
      overruled: { partnerId: brand.partner.id, by: 'click_id' },
    });
    await deliver(brand, paid(`${id}c`, discounted({ customer: `cus_${id}a` })));
    expect(await attributionOf(`cs_${id}c`)).toMatchObject({ partnerId: brand.partner.id });
  });

  it('goes to the click’s partner if the customer signed up within the attribution window, even if the payment comes after it', async () => {
    await cleoWithCode(world, brand, { processorCodeId: promo() });
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId });
    const { object } = paid(id, discounted({ metadata: { service_click_id: clickId } })).data;
    const at = day(90);
    await deliver(brand, stripeEvent('checkout.session.completed', object, { at }));
    expect(await attributionOf()).toMatchObject({ partnerId: brand.partner.id, resolvedBy: 'click_id' });
  });

  it.each([
    ['disabled', { status: 'disabled' }],
    ['unknown to the program without a reported text', undefined],
  ])('goes to no partner if the code is %s', async (_, change) => {
    if (change) {
      await cleoWithCode(world, brand, { processorCodeId: promo() });
      await (await ownerOf()).patch(`${path()}/codes/SAVE10`, change);
    }
    await deliver(brand, paid(id, discounted()));
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    expect(await unsoldOf(world, brand)).toMatchObject(change ? [] : [{ reason: 'waiting_for_code' }]);
  });

  it('becomes a test sale with a test card, and the code has no effect', async () => {
    await cleoWithCode(world, brand, { processorCodeId: promo() });
    for (const [name, discounts] of Object.entries({ a: discounted(), b: { discounts: ['di_x'] } })) {
      const { object } = paid(`${id}${name}`, discounts).data;
      await deliver(brand, stripeEvent('checkout.session.completed', object, { livemode: false }));
      expect(await saleOf(world, `cs_${id}${name}`)).toMatchObject({ isTest: true });
      expect(await attributionOf(`cs_${id}${name}`)).toBeUndefined();
    }
    expect(await unsoldOf(world, brand)).toEqual([]);
  });
});

describe('the events of a payment with a promotion code', () => {
  it.each(Object.entries(codedScenes))(
    'give the same sale in order and in reverse order, each delivered twice: %s',
    async (_, eventsOf) => {
      for (const inOrder of [
        (events: readonly StripeEvent[]) => events,
        (events: readonly StripeEvent[]) => events.toReversed(),
      ]) {
        await expectOneSaleByCode(world, brand, (person) =>
          inOrder(eventsOf(person)).flatMap((event) => [event, event]),
        );
      }
      await expectNothingHalfWritten(world);
      expect(await unsoldOf(world, brand, 31)).toEqual([]);
    },
  );
});

describe('a payment with a promotion code that the program does not know yet', () => {
  it('is listed as waiting, and recorded when the owner adds the code by Stripe’s id or by its text', async () => {
    const owner = await ownerOf();
    const cleo = await anotherPartner(world, brand, 'Cleo');
    await deliver(brand, paid(id, discounted()), told('LATER'));
    expect(await unsoldOf(world, brand)).toMatchObject([waiting()]);
    await owner.post(`${path()}/codes`, { partner_id: cleo.partner.id, code: 'later' }, { at: day(29) });
    expect(await attributionOf()).toMatchObject({ partnerId: cleo.partner.id, identifier: 'later' });
    expect((await saleOf(world, `cs_${id}`))?.occurredAt).toBe(NOW.toISOString());
    expect(await unsoldOf(world, brand)).toEqual([]);

    await deliver(brand, paid(`${id}b`, { discounts: [{ promotion_code: 'promo_named' }] }));
    await owner.patch(`${path()}/codes/later`, { processor_code_id: 'promo_named' });
    expect(await attributionOf(`cs_${id}b`)).toMatchObject({ partnerId: cleo.partner.id });
    expect(await world.items(`WAITING_FOR_CODE#${brand.program.id}#promo_named`)).toEqual([]);
  });

  it('is recorded within a minute after the code’s partner accepts the invitation, even if a first attempt fails', async () => {
    const owner = await ownerOf();
    const dan = await signedInAs(world);
    const wanted = { name: 'Dan', email: dan.account.email, invite: true, code: 'later' };
    const { id: partnerId } = (await owner.post(`${path()}/partners`, wanted)).body.data;
    await deliver(brand, paid(id, discounted()), told('LATER'));
    await everyMinute({ time: NOW.toISOString() });
    expect(await unsoldOf(world, brand)).toMatchObject([waiting()]);
    await accepted(dan, path());
    const failed = failingTransactionOf(`SALE#cs_${id}`, refused('InternalServerError'), () =>
      everyMinute({ time: NOW.toISOString() }),
    );
    await expect(failed).rejects.toThrow('InternalServerError');
    expect(await world.items('GIVEN_CODES')).toHaveLength(1);
    await everyMinute({ time: NOW.toISOString() });
    expect(await attributionOf()).toMatchObject({ partnerId, identifier: 'later' });
    expect(await unsoldOf(world, brand)).toEqual([]);
    expect(await world.items('GIVEN_CODES')).toEqual([]);
  });

  it('is recorded when the owner adds the code whose text the session contains', async () => {
    const expanded = { discounts: [{ promotion_code: { id: promo(), code: 'ITSELF' } }] };
    await deliver(brand, paid(id, expanded));
    expect(await unsoldOf(world, brand)).toMatchObject([waiting()]);
    await (await ownerOf()).post(`${path()}/codes`, { partner_id: brand.partner.id, code: 'ITSELF' });
    expect(await attributionOf()).toMatchObject({ partnerId: brand.partner.id });
  });

  it('waits for thirty days, and after that an owner can still retry it', async () => {
    const owner = await ownerOf();
    const event = paid(id, discounted());
    await deliver(brand, event);
    const late = { at: day(31) };
    const fresh = dashboard((await ownerOfBrand(world, brand)).token);
    expect((await fresh.post(`${path()}/processor/payments/${event.id}/retry`, undefined)).body.data).toEqual({
      recorded: false,
      reason: 'waiting_for_code',
    });
    await owner.post(
      `${path()}/codes`,
      { partner_id: brand.partner.id, code: 'LATE', processor_code_id: promo() },
      late,
    );
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    expect((await owner.post(`${path()}/processor/payments/${event.id}/retry`, undefined, late)).body.data).toEqual({
      recorded: true,
      reason: null,
    });
    expect(await attributionOf()).toMatchObject({ partnerId: brand.partner.id });
  });

  it('is recorded in the order of the payments if its customer has several that wait', async () => {
    await deliver(brand, paid(id, discounted()));
    const { object } = renewed(id, { paidAt: day(1), discounts: [`di_${id}`] }).data;
    await deliver(brand, stripeEvent('invoice.paid', object, { at: day(1) }));
    expect(await unsoldOf(world, brand)).toHaveLength(2);
    await givenCode(world, brand, { code: 'EARLIER' });
    await deliver(brand, told('EARLIER'), discountEvent());
    const first = await saleOf(world, `cs_${id}`);
    expect(first).toMatchObject({ attribution: { resolvedBy: 'code' }, isRecurring: false });
    expect(await saleOf(world, `in_${id}r`)).toMatchObject({
      attribution: { resolvedBy: 'processor_customer', clickId: (first!.attribution as Fields).clickId },
      isRecurring: true,
    });
  });

  it('also waits if its customer’s click is outside the attribution window, and then belongs to the code’s partner', async () => {
    const clickId = await clicked(brand);
    const cleo = await cleoWithCode(world, brand);
    const { object } = paid(id, discounted({ metadata: { service_click_id: clickId } })).data;
    await deliver(brand, stripeEvent('checkout.session.completed', object, { at: day(61) }));
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    await deliver(brand, told());
    expect(await attributionOf()).toMatchObject({ clickId, partnerId: cleo.partner.id, resolvedBy: 'code' });
  });

  it('belongs to the code’s partner, even if the customer clicks another partner’s link while the payment waits', async () => {
    const customerKey = `user_${id}`;
    const cleo = await cleoWithCode(world, brand);
    await deliver(brand, paid(id, discounted({ customer: null, metadata: { service_customer_key: customerKey } })));
    const late = { at: day(1) };
    const clickId = await clicked(brand, late);
    await settledLead(brand, { click_id: clickId, customer_key: customerKey }, late);
    await deliver(brand, discountEvent());
    expect(await unsoldOf(world, brand)).toHaveLength(1);
    await deliver(brand, told());
    expect(await attributionOf()).toMatchObject({ clickId, partnerId: cleo.partner.id, resolvedBy: 'code' });
    expect((await attributionOf())?.overruled).toBeUndefined();
    await expectNothingHalfWritten(world);
  });

  it('is recorded at once if another identifier finds its customer, and does not move when the code becomes known', async () => {
    await changeProgram(world, brand, { codePrecedence: 'code_first' });
    await cleoWithCode(world, brand);
    const clickId = await clicked(brand);
    await deliver(brand, paid(id, discounted({ metadata: { service_click_id: clickId } })), told());
    expect(await attributionOf()).toMatchObject({ partnerId: brand.partner.id, resolvedBy: 'click_id' });
  });

  it('is deleted if Stripe reports later that its discount belongs to no promotion code', async () => {
    await deliver(brand, invoiced(id, { discounts: [`di_${id}`] }));
    expect(await unsoldOf(world, brand)).toMatchObject([
      waiting({ event_type: 'invoice.paid', transaction_id: `in_${id}` }),
    ]);
    await deliver(brand, discountEvent(`di_${id}`, null));
    expect(await unsoldOf(world, brand)).toEqual([]);
    expect(await leftBehind(world, () => deliver(brand, renewed(id, { discounts: [`di_${id}`] })))).toEqual([]);
  });

  it('is listed as naming an unknown click if its code is disabled and its click id is unknown', async () => {
    const metadata = { service_click_id: 'clk_nobody' };
    await deliver(brand, paid(id, { metadata, discounts: [{ promotion_code: promo() }] }));
    expect(await unsoldOf(world, brand)).toMatchObject([waiting()]);
    await givenCode(world, brand, { code: 'OFF', processorCodeId: promo() });
    const owner = await ownerOf();
    await owner.patch(`${path()}/codes/OFF`, { status: 'disabled' });
    const [{ event_id: eventId }] = (await unsoldOf(world, brand)) as [{ event_id: string }];
    expect((await owner.post(`${path()}/processor/payments/${eventId}/retry`)).body.data).toEqual({
      recorded: false,
      reason: 'unknown_click',
    });
    expect(await unsoldOf(world, brand)).toMatchObject([waiting({ reason: 'unknown_click' })]);
  });

  it('is recorded once if Stripe reports the code in parallel', async () => {
    for (let at = 0; at < 6; at++) {
      id = `c${++count}x`;
      const own = await directBrand(world);
      const cleo = await cleoWithCode(world, own);
      await Promise.all([deliver(own, paid(id, discounted())), deliver(own, told())]);
      expect(await attributionOf()).toMatchObject({ partnerId: cleo.partner.id });
    }
  });

  it('is recorded once if the owner adds the code in parallel', async () => {
    for (let at = 0; at < 6; at++) {
      id = `c${++count}x`;
      const own = await directBrand(world);
      const owner = dashboard((await ownerOfBrand(world, own)).token);
      const wanted = { partner_id: own.partner.id, code: 'NOW10', processor_code_id: promo() };
      await Promise.all([
        deliver(own, paid(id, discounted())),
        owner.post(`/programs/${own.program.id}/codes`, wanted),
      ]);
      expect(await attributionOf()).toMatchObject({ partnerId: own.partner.id });
    }
  });

  it('is recorded within a minute after a request that adds or changes its code has failed to', async () => {
    await deliver(brand, paid(id, discounted()));
    const owner = await ownerOf();
    const wanted = { partner_id: brand.partner.id, code: 'LATER', processor_code_id: promo() };
    const rejected = cancelled((sk) => (sk === 'SALE' ? 'ValidationError' : 'None'));
    const failing = (change: () => Promise<unknown>) => failingTransactionOf(`SALE#cs_${id}`, rejected, change);
    expect(await failing(() => owner.post(`${path()}/codes`, wanted))).toMatchObject({ status: 200 });
    const again = await failing(() => owner.patch(`${path()}/codes/LATER`, { status: 'active' }));
    expect(again).toMatchObject({ status: 200 });
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    await everyMinute({ time: NOW.toISOString() });
    expect(await attributionOf()).toMatchObject({ partnerId: brand.partner.id });
    expect(await world.items('GIVEN_CODES')).toEqual([]);
  });

  it('is recorded even if 25 other payments wait for the same code', { tags: 'deep' }, async () => {
    const names = Array.from({ length: 26 }, (_, at) => `${id}n${at}`);
    const events = names.map((name) => paid(name, { discounts: [{ promotion_code: promo() }] }));
    await Promise.all(events.map((event) => deliver(brand, event)));
    await givenCode(world, brand);
    await deliver(brand, told());
    const sales = await Promise.all(names.map((name) => saleOf(world, `cs_${name}`)));
    expect(sales.filter((sale) => sale === undefined)).toEqual([]);
  });

  it('is recorded within a minute if a request has no time for all that wait', { tags: 'deep' }, async () => {
    const names = Array.from({ length: 126 }, (_, at) => `${id}n${at}`);
    for (const name of names) await deliver(brand, paid(name, { discounts: [{ promotion_code: promo() }] }));
    const unsold = async () =>
      (await Promise.all(names.map((name) => saleOf(world, `cs_${name}`)))).filter((sale) => sale === undefined);
    const owner = await ownerOf();
    await owner.post(`${path()}/codes`, { partner_id: brand.partner.id, code: 'ALL', processor_code_id: promo() });
    expect(await unsold()).toHaveLength(26);
    await everyMinute({ time: NOW.toISOString() });
    expect(await unsold()).toEqual([]);
    expect(await world.items('GIVEN_CODES')).toEqual([]);
  });

  it('still waits while its code is disabled', async () => {
    await givenCode(world, brand);
    const owner = await ownerOf();
    await deliver(brand, paid(id, discounted()));
    await owner.patch(`${path()}/codes/SAVE10`, { status: 'disabled' });
    await deliver(brand, told());
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    await owner.patch(`${path()}/codes/SAVE10`, { status: 'active' });
    expect(await attributionOf()).toMatchObject({ partnerId: brand.partner.id });
  });

  it('is recorded even if it has many discounts, some of them with the same code', async () => {
    const discounts = [
      { promotion_code: { id: 'promo_t1', code: 'TWICE' } },
      { promotion_code: { id: 'promo_t2', code: 'TWICE' } },
      { promotion_code: 'promo_t1' },
      ...Array.from({ length: 20 }, (_, at) => ({ promotion_code: `promo_m${at}` })),
    ];
    await deliver(brand, paid(id, { discounts }));
    expect(await unsoldOf(world, brand)).toMatchObject([waiting()]);
    await (await ownerOf()).post(`${path()}/codes`, { partner_id: brand.partner.id, code: 'twice' });
    expect(await attributionOf()).toMatchObject({ partnerId: brand.partner.id });
  });
});

describe('a payment that a discount reduces to 0', () => {
  it('creates no sale, but links an unknown customer to the code’s partner, who gets the later payments', async () => {
    const cleo = await cleoWithCode(world, brand, { processorCodeId: promo() });
    await deliver(brand, free());
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    const [payer] = await world.items(keys.payer(brand.program.id, `cus_${id}`).pk);
    expect(await customerOf(world, String(payer?.clickId))).toMatchObject({
      status: 'click',
      source: 'code',
      partnerId: cleo.partner.id,
    });
    const { object } = renewed(id).data;
    await deliver(brand, stripeEvent('invoice.paid', object, { at: day(300) }));
    expect(await attributionOf(`in_${id}r`)).toMatchObject({
      partnerId: cleo.partner.id,
      resolvedBy: 'processor_customer',
      broughtByCode: true,
    });
    expect(await unsoldOf(world, brand)).toEqual([]);
    await expectNothingHalfWritten(world);
  });

  it('links the customer even if the payment names only the customer key, and once for any number of deliveries', async () => {
    const cleo = await cleoWithCode(world, brand, { processorCodeId: promo() });
    const event = free({ customer: null, metadata: { service_customer_key: `user_${id}` } });
    await Promise.all([deliver(brand, event), deliver(brand, event)]);
    await deliver(brand, free({ customer: null, metadata: { service_customer_key: `user_${id}` } }));
    const [keyed] = await world.items(`KEY#user_${id}`);
    expect(keyed).toMatchObject({ partnerId: cleo.partner.id, status: 'click' });
  });

  it.each(ordersOf([0, 1, 2]))(
    'gives the same result if the events with its code (0), its discount (1) and its invoice (2) come in the order %j, %j, %j',
    async (...order) => {
      const cleo = await cleoWithCode(world, brand);
      const events = [told(), discountEvent(), invoiced(id, { amount_paid: 0, discounts: [`di_${id}`] })];
      await deliver(brand, ...order.map((at) => events[at]!));
      expect(await unsoldOf(world, brand)).toEqual([]);
      await deliver(brand, renewed(id));
      expect(await attributionOf(`in_${id}r`)).toMatchObject({ partnerId: cleo.partner.id });
    },
  );

  it('does not change the partner of a customer who already has one', async () => {
    await changeProgram(world, brand, { codePrecedence: 'code_first' });
    await cleoWithCode(world, brand, { processorCodeId: promo() });
    const clickId = await clicked(brand);
    const event = free({ metadata: { service_click_id: clickId } });
    expect(await leftBehind(world, () => deliver(brand, event))).toEqual([]);
  });

  it('stores nothing if it is a test, names no customer, its partner’s code is disabled, or its discount has no promotion code', async () => {
    await cleoWithCode(world, brand, { processorCodeId: promo() });
    await givenCode(world, brand, { code: 'OFF', processorCodeId: 'promo_off' });
    await (await ownerOf()).patch(`${path()}/codes/OFF`, { status: 'disabled' });
    const test = stripeEvent('checkout.session.completed', free().data.object, { livemode: false });
    const events = [
      test,
      free({ customer: null }),
      free({ discounts: [{ promotion_code: 'promo_off' }] }),
      free({ discounts: [{ coupon: 'co', promotion_code: null }] }),
    ];
    expect(await leftBehind(world, () => deliver(brand, ...events))).toEqual([]);
  });

  it('cannot be retried by an owner, and is deleted if its customer already has a partner when the code becomes known', async () => {
    const event = free();
    await deliver(brand, event);
    const owner = await ownerOf();
    expect((await owner.post(`${path()}/processor/payments/${event.id}/retry`)).status).toBe(404);
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, customer_key: 'known' });
    await deliver(brand, paid(`${id}o`, { customer: `cus_${id}`, metadata: { service_click_id: clickId } }));
    await givenCode(world, brand);
    await deliver(brand, told());
    expect(await world.items(`WAITING_FOR_CODE#${brand.program.id}#${promo()}`)).toEqual([]);
  });
});

describe('a Stripe account with several programs', () => {
  it('gives the payment to the program that has the code, in any order of events, and never to the other program', async () => {
    for (const order of ordersOf([0, 1])) {
      id = `c${++count}x`;
      const [mine, other] = [await world.brand(), await world.brand()];
      await connected(world, account(), [mine, other]);
      const cleo = await cleoWithCode(world, mine);
      await givenCode(world, other, { code: 'ELSE10' });
      const events = [told(), paid(id, discounted())];
      await send(...order.map((at) => events[at]!));
      expect(await saleOf(world, `cs_${id}`)).toMatchObject({
        programId: mine.program.id,
        attribution: { partnerId: cleo.partner.id },
      });
      for (const one of [mine, other]) expect(await unsoldOf(world, one)).toEqual([]);
    }
  });

  it('records the payment for neither program if both have its code and the payment names no program', async () => {
    const [mine, other] = [await world.brand(), await world.brand()];
    await connected(world, account(), [mine, other]);
    await cleoWithCode(world, mine);
    await givenCode(world, other);
    await send(told(), paid(id, discounted()));
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    await send(paid(`${id}b`, discounted({ metadata: { program_id: String(other.program.id) } })));
    expect(await saleOf(world, `cs_${id}b`)).toMatchObject({ programId: other.program.id });
  });

  it('records a waiting payment of the account when an owner of one of its programs adds the code', async () => {
    const mine = await world.brand();
    await connected(world, account(), [mine]);
    await send(paid(id, discounted()), told('LATER'));
    const owner = dashboard((await ownerOfBrand(world, mine)).token);
    await owner.post(`/programs/${mine.program.id}/codes`, { partner_id: mine.partner.id, code: 'LATER' });
    expect(await attributionOf()).toMatchObject({ partnerId: mine.partner.id });
  });
});

it('an event whose code cannot be a partner’s code, or that comes from test mode, is not stored', async () => {
  const events = [
    codeEvent('promo_b', 'a b'),
    stripeEvent('promotion_code.created', { code: 'SAVE10' }),
    stripeEvent('customer.discount.created', { promotion_code: 'promo_1' }),
    stripeEvent('promotion_code.created', { id: 'promo_t', code: 'SAVE10' }, { livemode: false }),
  ];
  expect(await leftBehind(world, () => deliver(brand, ...events))).toEqual([]);
});
