import { describe, expect, it } from 'vitest';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { browserLead } from '#test/support/payments/lives/journeys.ts';
import { customerOf, invoiced, renewed, saleOf, subscribed, visitor } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { deliver, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests that a subscription's first payment, which two events report, becomes one sale.

openProcessor();

const world = openedWorld();

const AT = NOW.toISOString();

describe('the first payment of a subscription', () => {
  it('is recorded by the checkout event under the invoice’s id, and the invoice event settles the lead', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    await browserLead({ click_id: clickId });
    await deliver(brand, subscribed(id, { metadata }));
    expect(await saleOf(world, `in_${id}`)).toMatchObject({
      saleType: 'subscription',
      isRecurring: false,
      subscriptionId: `sub_${id}`,
    });
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'conversion', leadState: 'provisional' });
    await deliver(brand, invoiced(id, { metadata: { ...metadata, service_customer_key: `user_${id}` } }));
    expect(await customerOf(world, clickId)).toMatchObject({
      leadState: 'settled',
      signupAt: AT,
      customerKey: `user_${id}`,
    });
    expect(await world.items(`SALE#in_${id}`)).toHaveLength(2);
    await expectNothingHalfWritten(world);
  });

  it('gets its payment intent from the first event that names one, and keeps it', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, subscribed(id, { metadata }));
    expect(await saleOf(world, `in_${id}`)).not.toHaveProperty('providerPaymentId');
    await deliver(brand, invoiced(id, { metadata }));
    const payments = { data: [{ payment: { payment_intent: `pi_${id}_other` } }] };
    await deliver(brand, invoiced(id, { metadata, payments }));
    expect(await saleOf(world, `in_${id}`)).toMatchObject({ providerPaymentId: `pi_${id}` });
  });

  it('is one sale if the checkout event does not name the invoice', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, subscribed(id, { metadata, invoice: null }), invoiced(id, { metadata }));
    expect([await saleOf(world, `cs_${id}`), await saleOf(world, `in_${id}`)]).toEqual([expect.anything(), undefined]);
  });

  it('is one sale if the invoice event comes first and the checkout event does not name the invoice', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, invoiced(id, { metadata }), subscribed(id, { metadata, invoice: null }));
    expect([await saleOf(world, `cs_${id}`), await saleOf(world, `in_${id}`)]).toEqual([undefined, expect.anything()]);
  });

  it('is one sale even though Stripe sends two events with different names for a paid invoice', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, invoiced(id, { metadata }), invoiced(id, { metadata }, 'invoice.payment_succeeded'));
    expect(await world.items(`SALE#in_${id}`)).toHaveLength(2);
  });

  it('is the first invoice with an amount after a free trial, and is not a renewal', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    await browserLead({ click_id: clickId, customer_key: `user_${id}` });
    await deliver(
      brand,
      subscribed(id, { metadata, amount_total: 0, payment_status: 'no_payment_required' }),
      invoiced(id, { metadata, amount_paid: 0 }),
    );
    expect(await saleOf(world, `in_${id}`)).toBeUndefined();
    await deliver(brand, renewed(id, { metadata }));
    expect(await saleOf(world, `in_${id}r`)).toMatchObject({ isRecurring: false, commissionState: 'created' });
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'conversion', leadState: 'settled' });
  });

  it('is a separate sale for each subscription of a customer', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(
      brand,
      subscribed(id, { metadata }),
      subscribed(`${id}b`, { metadata }),
      invoiced(`${id}b`, { metadata }),
    );
    expect(await saleOf(world, `in_${id}`)).toMatchObject({ isRecurring: false, commissionState: 'created' });
    expect(await saleOf(world, `in_${id}b`)).toMatchObject({ isRecurring: false, commissionState: 'created' });
  });
});
