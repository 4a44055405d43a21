import { describe, expect, it } from 'vitest';
import { allItems } from '#test/support/table/invariants.ts';
import { clicked, settledLead, soldTo } from '#test/support/payments/lives/journeys.ts';
import { customerOf, paid, renewed, saleOf, subscribed, visitor, visitorOf } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { deliver, directBrand, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of the order in which a payment's customer is found: click id, processor customer or key of a customer who has
// bought, e-mail of a lead, processor customer, customer key.

openProcessor();

const world = openedWorld();

/** Four customers of one brand, each with another identifier. */
async function fourCustomers() {
  const brand = await directBrand(world);
  const [clickedOne, mailed, payer, keyed] = await Promise.all([1, 2, 3, 4].map(() => visitorOf(brand)));
  const { id } = clickedOne!;
  const email = `jo.${id}@customers.test`;
  await settledLead(brand, { click_id: mailed!.clickId, email });
  await deliver(brand, paid(`${id}before`, { metadata: payer!.metadata, customer: `cus_${id}` }));
  await settledLead(brand, { click_id: keyed!.clickId, customer_key: `user_${id}` });
  const said = {
    click: { service_click_id: clickedOne!.clickId },
    key: { service_customer_key: `user_${id}` },
    email: { customer_details: { email: ` JO.${id}@Customers.TEST ` } },
    payer: { customer: `cus_${id}` },
    nobody: { customer: `cus_${id}new` },
  };
  return { brand, id, said, clickIds: [clickedOne, mailed, payer, keyed].map((one) => one!.clickId) };
}

describe('the customer of a Stripe payment is found', () => {
  it('by the click id rather than by any other identifier', async () => {
    const { brand, id, said, clickIds } = await fourCustomers();
    await deliver(brand, paid(id, { ...said.email, ...said.payer, metadata: { ...said.click, ...said.key } }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({
      attribution: { clickId: clickIds[0], resolvedBy: 'click_id', identifier: clickIds[0] },
    });
  });

  it('by the Stripe customer of an earlier payment rather than by the e-mail address', async () => {
    const { brand, id, said, clickIds } = await fourCustomers();
    await deliver(brand, paid(id, { ...said.email, ...said.payer, metadata: said.key }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({
      attribution: { clickId: clickIds[2], resolvedBy: 'processor_customer', identifier: `cus_${id}` },
    });
  });

  it('by the e-mail address of a settled lead rather than by the key of a customer who has not bought', async () => {
    const { brand, id, said, clickIds } = await fourCustomers();
    await deliver(brand, paid(id, { ...said.email, ...said.nobody, metadata: said.key }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({
      attribution: { clickId: clickIds[1], resolvedBy: 'email', identifier: 'j***@customers.test' },
    });
  });

  it('by the Stripe customer of an earlier payment rather than by the customer key', async () => {
    const { brand, id, said, clickIds } = await fourCustomers();
    await deliver(brand, paid(id, { ...said.payer, metadata: said.key }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({
      attribution: { clickId: clickIds[2], resolvedBy: 'processor_customer', identifier: `cus_${id}` },
    });
  });

  it('by the customer key if no other identifier matches', async () => {
    const { brand, id, said, clickIds } = await fourCustomers();
    await deliver(brand, paid(id, { ...said.nobody, metadata: said.key }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({
      attribution: {
        clickId: clickIds[3],
        resolvedBy: 'customer_key',
        identifier: `user_${id}`,
        customerKey: `user_${id}`,
      },
    });
  });

  it.each([
    ['is unknown', () => 'clk_nobody'],
    ['is too long', () => 'x'.repeat(256)],
    ['is a number', () => 7],
    ['is empty', () => ''],
  ])('by the customer key if the click id %s', async (_, clickId) => {
    const { brand, id, said, clickIds } = await fourCustomers();
    await deliver(brand, paid(id, { ...said.nobody, metadata: { ...said.key, service_click_id: clickId() } }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId: clickIds[3] } });
  });

  it('as the earliest of several leads with the same e-mail address', async () => {
    const brand = await directBrand(world);
    const [later, earlier] = [await visitorOf(brand), await visitorOf(brand)];
    const email = `${later.id}@customers.test`;
    await settledLead(brand, { click_id: later.clickId, email }, { at: new Date(NOW.getTime() + 1000) });
    await settledLead(brand, { click_id: earlier.clickId, email });
    await deliver(brand, paid(later.id, { customer_details: { email } }));
    expect(await saleOf(world, `cs_${later.id}`)).toMatchObject({ attribution: { clickId: earlier.clickId } });
  });

  it('by another identifier than the click id, and then does not get the customer key in the metadata', async () => {
    const { brand, id, said, clickIds } = await fourCustomers();
    await deliver(brand, paid(id, { ...said.payer, metadata: { service_customer_key: `new_${id}` } }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId: clickIds[2] } });
    expect(await customerOf(world, clickIds[2]!)).not.toHaveProperty('customerKey');
    expect(await world.items(`KEY#new_${id}`)).toEqual([]);
  });

  it('by the e-mail address with which the brand created the session, if the payer entered none', async () => {
    const { brand, clickId, id } = await visitor(world);
    await settledLead(brand, { click_id: clickId, email: `${id}@customers.test` });
    await deliver(brand, paid(id, { customer_email: `${id}@customers.test` }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId, resolvedBy: 'email' } });
  });
});

describe('a renewal whose own metadata are empty', () => {
  it('belongs to the customer whose checkout had the same Stripe customer', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    await deliver(brand, subscribed(id, { metadata }), renewed(id));
    expect(await saleOf(world, `in_${id}r`)).toMatchObject({
      isRecurring: true,
      attribution: { clickId, resolvedBy: 'processor_customer', identifier: `cus_${id}` },
    });
  });

  it('is not recorded if its Stripe customer is unknown', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, subscribed(id, { metadata }));
    const before = await allItems(world);
    await deliver(brand, renewed(id, { customer: `cus_other_${id}` }));
    expect(await allItems(world)).toEqual(before);
  });
});

describe('a payment without a matching customer in the program', () => {
  it('is not recorded, and Stripe can deliver its event again', async () => {
    const { brand, id } = await visitor(world);
    const before = await allItems(world);
    const event = paid(id, { customer_details: { email: `${id}@customers.test` } });
    await deliver(brand, event);
    expect(await allItems(world)).toEqual(before);
    await settledLead(brand, { click_id: await clicked(brand), email: `${id}@customers.test` });
    await deliver(brand, event);
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { resolvedBy: 'email' } });
  });

  it.each(['click id', 'address', 'processor customer', 'customer key'])(
    'does not find the customer of another program by the %s',
    async (identifier) => {
      const { brand, id, said } = await fourCustomers();
      const other = await directBrand(world);
      const before = await allItems(world);
      const told = {
        'click id': { metadata: said.click },
        address: said.email,
        'processor customer': said.payer,
        'customer key': { metadata: said.key },
      }[identifier];
      await deliver(other, paid(id, { customer: null, ...told }));
      expect(await allItems(world)).toEqual(before);
      expect(other.program.id).not.toBe(brand.program.id);
    },
  );

  it('does not find a customer whose key is spelled differently', async () => {
    const brand = await directBrand(world);
    const { clickId, id } = await visitorOf(brand);
    await settledLead(brand, { click_id: clickId, customer_key: `user_${id}` });
    const before = await allItems(world);
    for (const name of ['customer_key', 'serviceCustomerKey', 'SERVICE_CUSTOMER_KEY', 'client_reference_id']) {
      await deliver(brand, paid(id, { metadata: { [name]: `user_${id}` }, client_reference_id: `user_${id}` }));
    }
    expect(await allItems(world)).toEqual(before);
  });
});

it('a Stripe payment finds no customer by its Stripe customer id if the customer’s former payments came only from the API', async () => {
  const { brand, id } = await visitor(world);
  await soldTo(brand, `user_${id}`, { transaction_id: `sale_${id}` });
  const before = await allItems(world);
  await deliver(brand, paid(id));
  expect(await allItems(world)).toEqual(before);
});
