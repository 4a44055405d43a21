import { describe, expect, it } from 'vitest';
import { random } from '#lib/service/ground/effects/random.ts';
import { allItems, expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { browserLead, clicked, settledLead } from '#test/support/payments/lives/journeys.ts';
import {
  commissionOf,
  customerOf,
  invoiced,
  refundedCentsOf,
  renewed,
  saleOf,
  visitor,
} from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { paidByLink, subscribedByLink } from '#test/support/payments/payment-link.ts';
import { NOW } from '#test/support/callers/request.ts';
import { charge, deliver, directBrand, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Tests of Payment Links, pricing tables and buy buttons. These accept no metadata from the page, so their sessions
// have the click in `client_reference_id`.

openProcessor();

const world = openedWorld();

const AT = NOW.toISOString();

/** The dashboard's list of unattributed payments. */
async function unsold(brand: Brand): Promise<unknown> {
  const owner = dashboard((await ownerOfBrand(world, brand)).token);
  return (await owner.get(`/programs/${brand.program.id}/processor/payments`)).body.data;
}

describe('a single payment by a Stripe payment link whose reference is the click id', () => {
  it('becomes a sale of the click’s partner', async () => {
    const { brand, clickId, id } = await visitor(world);
    await deliver(brand, paidByLink(id, clickId));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({
      amountCents: 4900,
      currency: 'USD',
      saleType: 'payment',
      isRecurring: false,
      providerPaymentId: `pi_${id}`,
      attribution: { clickId, partnerId: brand.partner.id, resolvedBy: 'click_id', identifier: clickId },
    });
    expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ amountCents: 980, status: 'pending' });
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'conversion', firstPurchaseAt: AT });
    await expectNothingHalfWritten(world);
  });

  it('settles a lead that a browser sent, as a click id in the metadata does', async () => {
    const { brand, clickId, id } = await visitor(world);
    await browserLead({ click_id: clickId, customer_key: `user_${id}`, email: `${id}@payers.test` });
    await deliver(brand, paidByLink(id, clickId));
    expect(await customerOf(world, clickId)).toMatchObject({
      status: 'conversion',
      leadState: 'settled',
      signupAt: AT,
    });
    expect(await world.items(`KEY#user_${id}`)).toEqual([]);
  });

  it('is recorded once for any number of deliveries', async () => {
    const { brand, clickId, id } = await visitor(world);
    const event = paidByLink(id, clickId);
    await deliver(brand, event);
    const before = await allItems(world);
    await deliver(brand, event);
    expect(await allItems(world)).toEqual(before);
  });

  it('becomes a test sale if it was made with a test card, and does not change the customer', async () => {
    const { brand, clickId, id } = await visitor(world);
    const before = await customerOf(world, clickId);
    const { object } = paidByLink(id, clickId).data;
    await deliver(brand, stripeEvent('checkout.session.completed', object, { livemode: false }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ isTest: true });
    expect(await commissionOf(world, `cs_${id}`)).toBeUndefined();
    expect(await customerOf(world, clickId)).toEqual(before);
  });

  it('is listed as unrecorded if its currency is unsupported', async () => {
    const { brand, clickId, id } = await visitor(world);
    await deliver(brand, paidByLink(id, clickId, { currency: 'gbp' }));
    expect(await unsold(brand)).toMatchObject([{ transaction_id: `cs_${id}`, reason: 'unsupported_currency' }]);
  });
});

describe('a subscription bought by a Stripe payment link whose reference is the click id', () => {
  it.each([
    ['the checkout first', false],
    ['the invoice first', true],
  ])('is one sale, and its renewals and refunds find the customer (events: %s)', async (_, invoiceFirst) => {
    const { brand, clickId, id } = await visitor(world);
    const both = [subscribedByLink(id, clickId), invoiced(id)];
    await deliver(brand, ...(invoiceFirst ? both.toReversed() : both));
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    expect(await saleOf(world, `in_${id}`)).toMatchObject({
      amountCents: 4900,
      saleType: 'subscription',
      isRecurring: false,
      subscriptionId: `sub_${id}`,
      attribution: { clickId, resolvedBy: 'click_id', identifier: clickId },
    });
    expect(await world.items(`SALE#in_${id}`)).toHaveLength(2);

    await deliver(brand, renewed(id));
    expect(await saleOf(world, `in_${id}r`)).toMatchObject({
      isRecurring: true,
      attribution: { clickId, resolvedBy: 'processor_customer', identifier: `cus_${id}` },
    });

    // Since API version 2025-03-31 a charge has no invoice id, but this event does.
    const payment = { type: 'payment_intent', payment_intent: `pi_${id}` };
    await deliver(
      brand,
      stripeEvent('invoice_payment.paid', { id: `inpay_${id}`, invoice: `in_${id}`, payment }),
      stripeEvent('charge.refunded', charge(id, { amount_refunded: 1000 })),
    );
    expect(await refundedCentsOf(world, `in_${id}`)).toBe(1000);
    await expectNothingHalfWritten(world);
  });

  it('leaves a provisional lead provisional, because the invoices of the subscription do not name the click', async () => {
    const { brand, clickId, id } = await visitor(world);
    await browserLead({ click_id: clickId });
    await deliver(brand, subscribedByLink(id, clickId), invoiced(id), renewed(id));
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'conversion', leadState: 'provisional' });
  });
});

describe('a payment by a Stripe payment link whose reference is not the id of a known click', () => {
  it.each([['user_123'], ['clk_'], [`clk_test_${'0'.repeat(26)}`], [`CLK_${'0'.repeat(26)}`], [''], [null]])(
    'stores nothing if the reference is %j',
    async (reference) => {
      const { brand, id } = await visitor(world);
      const before = await allItems(world);
      await deliver(brand, paidByLink(id, reference), subscribedByLink(`${id}s`, reference), invoiced(`${id}s`));
      expect(await allItems(world)).toEqual(before);
      expect(await unsold(brand)).toEqual([]);
    },
  );

  it('belongs to the customer with the payer’s e-mail address, if there is one', async () => {
    const { brand, clickId, id } = await visitor(world);
    await settledLead(brand, { click_id: clickId, email: `${id}@payers.test` });
    await deliver(brand, paidByLink(id, 'user_123'));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId, resolvedBy: 'email' } });
  });

  it('is listed as unrecorded if the reference looks like a click id', async () => {
    const { brand, id } = await visitor(world);
    await deliver(brand, paidByLink(id, random.clickId()));
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    expect(await unsold(brand)).toMatchObject([
      { transaction_id: `cs_${id}`, amount_cents: 4900, reason: 'unknown_click' },
    ]);
  });

  it('is listed as naming an unknown click if the click belongs to another program, and nothing changes there', async () => {
    const { brand, id } = await visitor(world);
    const other = await directBrand(world);
    const clickId = await clicked(other);
    const before = await customerOf(world, clickId);
    await deliver(brand, paidByLink(id, clickId));
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    expect(await customerOf(world, clickId)).toEqual(before);
    expect(await unsold(brand)).toMatchObject([{ transaction_id: `cs_${id}`, reason: 'unknown_click' }]);
    expect(await unsold(other)).toEqual([]);
  });
});

describe('a click id that the payer adds to a Stripe payment link’s URL as the reference', () => {
  it.each([
    ['the checkout first', false],
    ['the invoice first', true],
  ])('does not move a known payer away from their first partner (events: %s)', async (_, invoiceFirst) => {
    const { brand, clickId, id } = await visitor(world);
    await settledLead(brand, { click_id: clickId, email: `${id}@payers.test` });
    const both = [subscribedByLink(id, await clicked(brand)), invoiced(id, { customer_email: `${id}@payers.test` })];
    await deliver(brand, ...(invoiceFirst ? both.toReversed() : both));
    expect(await saleOf(world, `in_${id}`)).toMatchObject({ attribution: { clickId, resolvedBy: 'email' } });
  });

  it('does not move a payer who has already paid: the sale is attributed to the customer of the first click', async () => {
    const { brand, clickId, id } = await visitor(world);
    await deliver(brand, subscribedByLink(id, clickId));
    await deliver(brand, paidByLink(`${id}b`, await clicked(brand), { customer: `cus_${id}` }));
    expect(await saleOf(world, `cs_${id}b`)).toMatchObject({
      attribution: { clickId, resolvedBy: 'processor_customer' },
    });
  });
});

describe('the metadata of a payment take precedence over its reference', () => {
  it('if they name another click', async () => {
    const { brand, clickId, id } = await visitor(world);
    const named = await clicked(brand);
    await deliver(brand, paidByLink(id, clickId, { metadata: { service_click_id: named } }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId: named } });
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'click' });
  });

  it('if they name an unknown click', async () => {
    const { brand, clickId, id } = await visitor(world);
    await deliver(brand, paidByLink(id, clickId, { metadata: { service_click_id: 'clk_nobody' } }));
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    expect(await unsold(brand)).toMatchObject([{ reason: 'unknown_click' }]);
  });

  it('if they name a customer key', async () => {
    const { brand, clickId, id } = await visitor(world);
    await settledLead(brand, { click_id: clickId, customer_key: `user_${id}` });
    const metadata = { program_id: String(brand.program.id), service_customer_key: `user_${id}` };
    await deliver(brand, paidByLink(id, await clicked(brand), { metadata }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId, resolvedBy: 'customer_key' } });
  });

  it('but not if they name only the program or an unknown key', async () => {
    const { brand, clickId, id } = await visitor(world);
    const metadata = { program_id: String(brand.program.id), service_customer_key: `user_${id}` };
    await deliver(brand, paidByLink(id, clickId, { metadata }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId, resolvedBy: 'click_id' } });
  });
});
