import { beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { leftBehind } from '#test/support/table/invariants.ts';
import { clicked, settledLead } from '#test/support/payments/lives/journeys.ts';
import {
  commissionOf,
  customerOf,
  paid,
  saleOf,
  type Visitor,
  visitor,
  visitorOf,
} from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { unsoldOf } from '#test/support/payments/single-payment-scenes.ts';
import { intentPaid, singleInvoicePaid } from '#test/support/payments/single-payments.ts';
import {
  connected,
  deliver,
  openProcessor,
  sendPlatform,
  type StripeEvent,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Tests of payments that would be lost because of their metadata.

openProcessor();

const world = openedWorld();
let person: Visitor;
beforeEach(async () => {
  person = await visitor(world);
  const { brand, clickId, id } = person;
  await settledLead(brand, { click_id: clickId, customer_key: `user_${id}`, email: `${id}@payers.test` });
});

const ownerOf = async (brand: Brand) => dashboard((await ownerOfBrand(world, brand)).token);
const retried = async (brand: Brand, { id }: StripeEvent) =>
  (await (await ownerOf(brand)).post(`/programs/${brand.program.id}/processor/payments/${id}/retry`)).body;
const recorded = { data: { recorded: true, reason: null } };

const rows = async (brand: Brand) =>
  (await unsoldOf(world, brand)).map(({ transaction_id, reason, detail }) => ({ transaction_id, reason, detail }));

describe('payments whose metadata name a program other than the one that receives the event', () => {
  const strange = { program_id: '999999' };
  it.each([
    ['a click', () => ({ metadata: { ...person.metadata, ...strange } })],
    ['a key', () => ({ metadata: { service_customer_key: `user_${person.id}`, ...strange } })],
    ['an e-mail address', () => ({ metadata: strange, customer_details: { email: `${person.id}@payers.test` } })],
  ])('are listed as unrecorded if they have %s of this program, and the owner can record them', async (_, more) => {
    const { brand, id, clickId } = person;
    const event = paid(id, more());
    await deliver(brand, event, event);
    expect(await rows(brand)).toEqual([
      { transaction_id: `cs_${id}`, reason: 'other_program', detail: 'The metadata name program 999999.' },
    ]);
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    expect(await retried(brand, event)).toEqual(recorded);
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId } });
    expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ amountCents: 980 });
    expect(await rows(brand)).toEqual([]);
  });

  it('are listed as unrecorded if the same Stripe customer has paid this program before', async () => {
    const { brand, id, metadata } = person;
    await deliver(brand, paid(id, { metadata, customer: `cus_${id}` }));
    await deliver(brand, paid(`${id}b`, { metadata: strange, customer: `cus_${id}`, customer_details: {} }));
    expect(await rows(brand)).toMatchObject([{ transaction_id: `cs_${id}b`, reason: 'other_program' }]);
  });

  it('are listed as unrecorded if the named program cannot exist, such as a placeholder', async () => {
    const { brand, id, metadata } = person;
    await deliver(brand, paid(id, { metadata: { ...metadata, program_id: '<your program id>' } }));
    expect(await rows(brand)).toMatchObject([{ detail: 'The metadata name a program that does not exist.' }]);
  });

  it('are listed without the payer’s e-mail address', async () => {
    const { brand, id } = person;
    const event = paid(id, { metadata: strange, customer_details: { email: `${id}@payers.test` } });
    await deliver(brand, event);
    const noted = await world.items(keys.unattributedPayment(brand.program.id, sha256(event.id)).pk);
    expect(JSON.stringify(noted)).not.toContain(`${id}@`);
  });

  it('are not stored if they name no customer of this program', async () => {
    const { brand, id } = person;
    const event = paid(id, { metadata: { ...strange, service_customer_key: 'nobody' } });
    expect(await leftBehind(world, () => deliver(brand, event))).toEqual([]);
  });

  it('are not stored if they were made with a test card', async () => {
    const { brand, id, metadata } = person;
    const { object } = paid(id, { metadata: { ...metadata, ...strange } }).data;
    const event = stripeEvent('checkout.session.completed', object, { livemode: false });
    expect(await leftBehind(world, () => deliver(brand, event))).toEqual([]);
  });

  it('leave the list of unrecorded payments when the owner records them', async () => {
    const { brand, id } = person;
    const other = await visitor(world);
    await settledLead(other.brand, {
      click_id: other.clickId,
      customer_key: `user_${id}`,
      email: `${other.id}@payers.test`,
    });
    const metadata = { service_customer_key: `user_${id}`, program_id: String(other.brand.program.id) };
    const event = paid(id, { metadata });
    await deliver(brand, event);
    expect(await rows(brand)).toMatchObject([{ reason: 'other_program' }]);
    await deliver(other.brand, event);
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ programId: other.brand.program.id });
    expect(await rows(brand)).toEqual([]);
  });

  it('are listed in the program that has the customer, if the Stripe account has several programs', async () => {
    const second = await visitor(world);
    const account = `acct_${person.id}`;
    await connected(world, account, [person.brand, second.brand]);
    const { object } = paid(person.id, {
      metadata: { ...person.metadata, program_id: String(second.brand.program.id) },
    }).data;
    await sendPlatform(stripeEvent('checkout.session.completed', object, { account }));
    expect(await rows(person.brand)).toMatchObject([{ reason: 'other_program' }]);
    expect(await saleOf(world, `cs_${person.id}`)).toBeUndefined();
  });
});

const misspelt = () => ({ customer_key: `user_${person.id}` });
const testCheckout = () => paid(`${person.id}t`, { metadata: misspelt() }).data.object;
const testIntent = () => intentPaid(`${person.id}t`, misspelt()).data.object;

describe('payments with misspelt metadata', () => {
  it.each([
    ['customer_key', 'service_customer_key'],
    ['customer_id', 'service_customer_key'],
    ['service_customer_id', 'service_customer_key'],
    ['serviceCustomerKey', 'service_customer_key'],
    ['service_custmer_key', 'service_customer_key'],
    ['click_id', 'service_click_id'],
    ['clickId', 'service_click_id'],
    ['Service-Click-Id', 'service_click_id'],
  ])('with the field %s are listed as unrecorded, and an owner’s retry records them', async (name, meant) => {
    const { brand, id, clickId } = person;
    const value = meant === 'service_click_id' ? clickId : `user_${id}`;
    const event = paid(`${id}m`, { metadata: { [name]: value }, customer: null, customer_details: {} });
    await deliver(brand, event);
    expect(await rows(brand)).toEqual([
      {
        transaction_id: `cs_${id}m`,
        reason: 'misspelt_metadata',
        detail: `The metadata have ${name}. Did you mean ${meant}?`,
      },
    ]);
    expect(await retried(brand, event)).toEqual(recorded);
    expect(await saleOf(world, `cs_${id}m`)).toMatchObject({ attribution: { clickId } });
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'conversion' });
    expect(await rows(brand)).toEqual([]);
  });

  it.each([
    ['an intent', intentPaid, 'pi'],
    ['an invoice without a subscription', singleInvoicePaid, 'in'],
  ] as const)(
    'of which Stripe reports %s, not a checkout, are listed as well, and an owner’s retry records them',
    async (_, eventOf, prefix) => {
      const { brand, id, clickId } = person;
      const event = eventOf(`${id}s`, { click_id: clickId }, { payment_intent: null, charge: null });
      await deliver(brand, event);
      expect(await rows(brand)).toMatchObject([{ transaction_id: `${prefix}_${id}s`, reason: 'misspelt_metadata' }]);
      expect(await retried(brand, event)).toEqual(recorded);
      expect(await saleOf(world, `${prefix}_${id}s`)).toMatchObject({ attribution: { clickId } });
    },
  );

  it('are not listed if another event of the same payment is recorded, before or after', async () => {
    const { brand, id, metadata } = person;
    const intent = (name: string) => intentPaid(name, { customer_id: `user_${id}` });
    await deliver(brand, intent(`${id}a`), paid(`${id}a`, { metadata }));
    await deliver(brand, paid(`${id}b`, { metadata }), intent(`${id}b`));
    expect(await rows(brand)).toEqual([]);
  });

  it('are listed as misspelt, even if they also name an unknown click', async () => {
    const { brand, id } = person;
    const metadata = { service_click_id: 'clk_nobody', customer_key: `user_${id}` };
    await deliver(brand, paid(`${id}u`, { metadata, customer: null, customer_details: {} }));
    expect(await rows(brand)).toMatchObject([{ reason: 'misspelt_metadata' }]);
  });

  it('are listed even if they are in an unsupported currency', async () => {
    const { brand, id } = person;
    const event = paid(`${id}c`, { metadata: misspelt(), currency: 'gbp', customer: null, customer_details: {} });
    await deliver(brand, event);
    expect(await rows(brand)).toMatchObject([{ reason: 'misspelt_metadata' }]);
    expect(await retried(brand, event)).toEqual({ data: { recorded: false, reason: 'unsupported_currency' } });
    expect(await rows(brand)).toMatchObject([
      { reason: 'unsupported_currency', detail: 'currency GBP is not supported' },
    ]);
  });

  it('are listed with the first misspelt field whose value matches a customer', async () => {
    const { brand, id } = person;
    const metadata = { customer_id: '17', customer_key: `user_${id}` };
    await deliver(brand, paid(`${id}f`, { metadata, customer: null, customer_details: {} }));
    expect(await rows(brand)).toMatchObject([
      { detail: 'The metadata have customer_key. Did you mean service_customer_key?' },
    ]);
  });

  it('are recorded as usual if another field finds the customer', async () => {
    const { brand, id, metadata, clickId } = person;
    await deliver(brand, paid(id, { metadata: { ...metadata, customer_id: 'other' } }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId } });
    expect(await rows(brand)).toEqual([]);
  });

  it.each([
    ['match no customer', () => paid(`${person.id}n`, { metadata: { customer_key: 'nobody' }, customer: null })],
    ['use a test card', () => stripeEvent('checkout.session.completed', testCheckout(), { livemode: false })],
    [
      'belong to an intent with a test card',
      () => stripeEvent('payment_intent.succeeded', testIntent(), { livemode: false }),
    ],
  ])('are not listed if they %s', async (_, eventOf) => {
    await deliver(person.brand, eventOf());
    expect(await rows(person.brand)).toEqual([]);
  });
});

describe('a payment that names the click id of a bot’s click', () => {
  const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
  it('is listed with the reason bot_click, not as naming an unknown click', async () => {
    const { brand } = await visitorOf(person.brand);
    const clickId = await clicked(brand, { headers: { origin: 'https://a.test', 'user-agent': BOT } });
    const event = paid(`${person.id}bot`, { metadata: { service_click_id: clickId }, customer: null });
    await deliver(brand, event);
    expect(await rows(brand)).toEqual([{ transaction_id: `cs_${person.id}bot`, reason: 'bot_click', detail: null }]);
    expect(await retried(brand, event)).toEqual({ data: { recorded: false, reason: 'bot_click' } });
  });
});
