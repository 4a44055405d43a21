import { beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { expectNothingHalfWritten, leftBehind } from '#test/support/table/invariants.ts';
import { browserLead, clicked, settledLead } from '#test/support/payments/lives/journeys.ts';
import { commissionOf, customerOf, saleOf, subscribed, type Visitor, visitor } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { unsoldOf } from '#test/support/payments/single-payment-scenes.ts';
import {
  generations,
  intentPaid,
  invoicePaymentPaid,
  singleInvoicePaid,
} from '#test/support/payments/single-payments.ts';
import { deliver, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

openProcessor();

const AT = NOW.toISOString();

const world = openedWorld();
let person: Visitor;
beforeEach(async () => {
  person = await visitor(world);
});

/** The stored data of an unattributed payment. */
const noted = (eventId: string) => world.items(keys.unattributedPayment(person.brand.program.id, sha256(eventId)).pk);

describe.each(generations)('a payment intent of the brand’s own checkout, in the API version %s,', (generation) => {
  it('becomes a sale that is attributed to the click named in its metadata', async () => {
    const { brand, clickId, id, metadata } = person;
    await deliver(brand, intentPaid(id, metadata, { generation, amount: 9900 }));
    expect(await saleOf(world, `pi_${id}`)).toMatchObject({
      amountCents: 4900,
      currency: 'USD',
      saleType: 'payment',
      isRecurring: false,
      providerPaymentId: `pi_${id}`,
      occurredAt: AT,
      attribution: { clickId, partnerId: brand.partner.id, resolvedBy: 'click_id', identifier: clickId },
    });
    expect(await commissionOf(world, `pi_${id}`)).toMatchObject({ amountCents: 980, status: 'pending' });
  });
});

describe('a payment intent', () => {
  it('finds the customer by the customer key in its metadata', async () => {
    const { brand, clickId, id } = person;
    await settledLead(brand, { click_id: clickId, customer_key: `user_${id}` });
    await deliver(brand, intentPaid(id, { service_customer_key: `user_${id}` }));
    expect(await saleOf(world, `pi_${id}`)).toMatchObject({ attribution: { clickId, resolvedBy: 'customer_key' } });
  });

  it('settles a provisional lead', async () => {
    const { brand, clickId, id, metadata } = person;
    await browserLead({ click_id: clickId });
    await deliver(brand, intentPaid(id, metadata));
    expect(await customerOf(world, clickId)).toMatchObject({
      status: 'conversion',
      leadState: 'settled',
      signupAt: AT,
    });
  });

  it.each([
    ['without identifiers', {}],
    ['with only its program', { program_id: '1' }],
  ])('%s stores nothing, even if the Stripe customer is known', async (_, metadata) => {
    const { brand, id } = person;
    await deliver(brand, intentPaid(id, person.metadata));
    const next = intentPaid(`${id}b`, metadata, { customer: `cus_${id}` });
    expect(await leftBehind(world, () => deliver(brand, next))).toEqual([]);
    expect(await unsoldOf(world, brand)).toEqual([]);
  });

  it('is listed as unrecorded if it names an unknown click', async () => {
    const { brand, id } = person;
    await deliver(brand, intentPaid(id, { service_click_id: 'clk_nobody' }));
    expect(await unsoldOf(world, brand)).toMatchObject([{ transaction_id: `pi_${id}`, reason: 'unknown_click' }]);
  });

  it('becomes no sale if no amount was received', async () => {
    const { brand, id, metadata } = person;
    await deliver(brand, intentPaid(id, metadata, { amount_received: 0 }));
    expect(await saleOf(world, `pi_${id}`)).toBeUndefined();
  });

  it('becomes a test sale if it was made with a test card', async () => {
    const { brand, id, metadata } = person;
    const { object } = intentPaid(id, metadata).data;
    await deliver(brand, stripeEvent('payment_intent.succeeded', object, { livemode: false }));
    expect(await saleOf(world, `pi_${id}`)).toMatchObject({ isTest: true });
  });
});

describe('a Stripe invoice that belongs to no subscription', () => {
  it('becomes a sale attributed to the click in its metadata, with the time of the payment', async () => {
    const { brand, clickId, id, metadata } = person;
    await deliver(brand, singleInvoicePaid(id, metadata, { generation: generations[0] }));
    expect(await saleOf(world, `in_${id}`)).toMatchObject({
      amountCents: 4900,
      saleType: 'payment',
      isRecurring: false,
      providerPaymentId: `pi_${id}`,
      occurredAt: new Date(1_795_186_800_000).toISOString(),
      attribution: { clickId, resolvedBy: 'click_id' },
    });
  });

  it('stores nothing if it names no customer', async () => {
    const { brand, id } = person;
    const event = singleInvoicePaid(id, {});
    expect(await leftBehind(world, () => deliver(brand, event))).toEqual([]);
  });

  it('is recorded at once in an older API version if it was paid outside Stripe, without a payment intent', async () => {
    const { brand, id, metadata } = person;
    const outOfBand = { payment_intent: null, charge: null, paid_out_of_band: true };
    await deliver(brand, singleInvoicePaid(id, metadata, { generation: generations[0], ...outOfBand }));
    expect(await saleOf(world, `in_${id}`)).toMatchObject({ amountCents: 4900 });
  });

  it('is recorded when Stripe reports that it was paid outside Stripe', async () => {
    const { brand, id, metadata } = person;
    const payment = { type: 'payment_record', payment_record: `prec_${id}` };
    await deliver(brand, singleInvoicePaid(id, metadata), invoicePaymentPaid(id, { payment }));
    expect(await saleOf(world, `in_${id}`)).toMatchObject({ amountCents: 4900 });
  });
});

describe('a Stripe invoice whose payment intent is not known yet', () => {
  it('settles the lead and waits, stored without the e-mail address, until it is listed as unrecorded after 30 days', async () => {
    const { brand, clickId, id, metadata } = person;
    await browserLead({ click_id: clickId });
    const event = singleInvoicePaid(id, metadata, { customer_email: `${id}@payers.test` });
    await deliver(brand, event, event, singleInvoicePaid(id, metadata, { type: 'invoice.payment_succeeded' }));
    expect(await saleOf(world, `in_${id}`)).toBeUndefined();
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'lead', leadState: 'settled' });
    expect(await world.items(keys.payment(brand.program.id, `in_${id}`).pk)).toMatchObject([
      { keptBy: event.id, expires_at: NOW.getTime() / 1000 + 30 * 86_400 },
    ]);
    expect(await unsoldOf(world, brand, 29)).toEqual([]);
    const row = {
      event_id: event.id,
      event_type: 'invoice.paid',
      transaction_id: `in_${id}`,
      amount_cents: 4900,
      currency: 'USD',
      reason: 'waiting_for_payment_intent',
      detail: null,
      at: AT,
    };
    expect(await unsoldOf(world, brand, 30)).toEqual([row]);
    expect(await unsoldOf(world, brand, 89)).toEqual([row]);
    expect(await noted(event.id)).toMatchObject([{ expires_at: NOW.getTime() / 1000 + 90 * 86_400 }]);
    expect(JSON.stringify(await noted(event.id))).toMatch(clickId);
    expect(JSON.stringify(await noted(event.id))).not.toContain(`${id}@`);
  });

  it('is attributed to the customer with its e-mail address, which the service does not store while the invoice waits', async () => {
    const { brand, clickId, id } = person;
    await settledLead(brand, { click_id: clickId, email: `${id}@payers.test` });
    const event = singleInvoicePaid(id, { service_customer_key: 'unknown' }, { customer_email: `${id}@payers.test` });
    await deliver(brand, event, invoicePaymentPaid(id));
    const [first = ''] = id;
    expect(await saleOf(world, `in_${id}`)).toMatchObject({
      attribution: { clickId, resolvedBy: 'email', identifier: `${first}***@payers.test` },
    });
    expect(JSON.stringify(await noted(event.id))).toMatch(clickId);
    expect(JSON.stringify(await noted(event.id))).not.toContain(`${id}@`);
  });

  it('becomes a test sale if it was paid with a test card, and is never listed', async () => {
    const { brand, id, metadata } = person;
    const { object } = singleInvoicePaid(id, metadata).data;
    await deliver(brand, stripeEvent('invoice.paid', object, { livemode: false }));
    expect(await unsoldOf(world, brand, 31)).toEqual([]);
    const { object: link } = invoicePaymentPaid(id).data;
    await deliver(brand, stripeEvent('invoice_payment.paid', link, { livemode: false }));
    expect(await saleOf(world, `in_${id}`)).toMatchObject({ isTest: true, amountCents: 4900 });
    expect(await commissionOf(world, `in_${id}`)).toBeUndefined();
  });

  it('is listed as outside the attribution window once Stripe reports its payment intent', async () => {
    const { brand, id, metadata } = person;
    const paidAt = Math.floor(NOW.getTime() / 1000) + 80 * 86_400;
    const event = singleInvoicePaid(id, metadata, { status_transitions: { paid_at: paidAt } });
    await deliver(brand, event, invoicePaymentPaid(id));
    expect(await saleOf(world, `in_${id}`)).toBeUndefined();
    expect(await unsoldOf(world, brand)).toMatchObject([{ event_id: event.id, reason: 'attribution_window_expired' }]);
  });
});

it('a subscription’s first payment is recorded once if both its payment intent and its checkout event name the click', async () => {
  const { brand, id, metadata } = person;
  await deliver(
    brand,
    intentPaid(id, metadata, { generation: generations[0], invoice: `in_${id}` }),
    subscribed(id, { metadata }),
  );
  expect(await saleOf(world, `pi_${id}`)).toMatchObject({ amountCents: 4900 });
  expect(await saleOf(world, `in_${id}`)).toBeUndefined();
  await expectNothingHalfWritten(world);
});

it('a payment intent that names another program is ignored', async () => {
  const { brand, id } = person;
  const metadata = { service_click_id: await clicked(brand), program_id: '999999' };
  const event = intentPaid(id, metadata);
  expect(await leftBehind(world, () => deliver(brand, event))).toEqual([]);
});
