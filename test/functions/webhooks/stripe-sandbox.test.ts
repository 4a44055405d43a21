import { describe, expect, it } from 'vitest';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { factPump, storedFacts } from '#test/support/outbox/facts.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import {
  commissionOf,
  customerOf,
  invoiced,
  leadOf,
  paid,
  renewed,
  saleOf,
  subscribed,
  type Visitor,
  visitor,
} from '#test/support/payments/payers.ts';
import { scenes } from '#test/support/payments/single-payment-scenes.ts';
import { charge, deliver, openProcessor, type StripeEvent, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of a sandbox, which treats the processor's test payments as real ones and records no live payments.

openProcessor();

const world = openedWorld({ hasFacts: true });

const metadataOf = ({ metadata }: Pick<Visitor, 'metadata'>) => ({ metadata });

const inTestMode = (event: StripeEvent): StripeEvent => ({ ...event, livemode: false });

async function scene(settings: Parameters<typeof visitor>[1] = { isSandbox: true }) {
  const person = await visitor(world, settings);
  const user = dashboard((await ownerOfBrand(world, person.brand)).token);
  const url = `/programs/${person.brand.program.id}`;
  return {
    ...person,
    user,
    url,
    unsold: async () => (await user.get(`${url}/processor/payments`)).body.data,
    pay: (isLive: boolean) => {
      const event = paid(person.id, { metadata: person.metadata });
      return deliver(person.brand, isLive ? event : inTestMode(event));
    },
  };
}

describe('a payment in Stripe’s test mode', () => {
  it('is recorded in a sandbox program as a live payment is in other programs: it settles the lead, earns and can be refunded', async () => {
    const { brand, clickId, id, pay } = await scene();
    await pay(false);
    expect(await leadOf(world, clickId)).toBeUndefined();
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'conversion' });
    const sale = await saleOf(world, `cs_${id}`);
    expect(sale).toMatchObject({ amountCents: 4900, commissionState: 'created', source: 'processor' });
    expect(sale).not.toHaveProperty('isTest');
    expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ amountCents: 980 });

    await deliver(brand, inTestMode(stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 }))));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 2450 });
    expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ deductedCents: 490 });
  });

  it('earns nothing in a program that is not a sandbox', async () => {
    const { id, pay, unsold } = await scene({});
    await pay(false);
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ isTest: true, commissionState: 'test' });
    expect(await commissionOf(world, `cs_${id}`)).toBeUndefined();
    expect(await unsold()).toEqual([]);
  });

  it('waits in a sandbox until the owner adds its promotion code', async () => {
    const { brand, id, user, url } = await scene();
    const { id: partnerId } = brand.partner;
    const body = { partner_id: partnerId, code: 'REHEARSE', processor_code_id: 'promo_r' };
    const session = paid(id, { client_reference_id: null, discounts: [{ promotion_code: 'promo_r' }] });
    await deliver(brand, inTestMode(session));
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    expect(await user.post(`${url}/codes`, body)).toMatchObject({ status: 200 });
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ code: 'REHEARSE', commissionState: 'created' });
  });
});

describe('a live payment in a sandbox program', () => {
  it('is listed as unrecorded, and a retry does not record it either', async () => {
    const { clickId, id, pay, unsold, user, url } = await scene();
    await pay(true);
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'click' });
    const [row, ...more] = await unsold();
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      transaction_id: `cs_${id}`,
      amount_cents: 4900,
      currency: 'USD',
      reason: 'live_payment',
    });
    const again = await user.post(`${url}/processor/payments/${row.event_id}/retry`, {});
    expect(again).toMatchObject({ status: 200, body: { data: { recorded: false, reason: 'live_payment' } } });
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
  });

  it('is listed once, for any number of events in any order', async () => {
    for (const eventsOf of Object.values(scenes)) {
      for (const isReversed of [false, true]) {
        const { brand, unsold, ...person } = await scene();
        const events = eventsOf({ ...person, brand }, 'since 2025-03-31');
        await deliver(brand, ...(isReversed ? events.toReversed() : events), ...events);
        expect(await unsold()).toMatchObject([{ amount_cents: 4900, reason: 'live_payment' }]);
      }
    }
  });

  it('is listed once per payment if it belongs to a subscription', async () => {
    const { brand, id, metadata, unsold } = await scene();
    const named = { metadata };
    const first = [subscribed(id, named), invoiced(id, named), invoiced(id, named, 'invoice.payment_succeeded')];
    await deliver(brand, ...first, renewed(id, { metadata }));
    const rows = (await unsold()).map((row: { transaction_id: string }) => row.transaction_id);
    expect(rows.toSorted()).toEqual([`in_${id}`, `in_${id}r`]);
    const { brand: other, unsold: unsoldThere, ...person } = await scene();
    const told = [subscribed(person.id, metadataOf(person)), invoiced(person.id, metadataOf(person))];
    await Promise.all(told.map((event) => deliver(other, event)));
    expect(await unsoldThere()).toHaveLength(1);
  });

  it('is not listed if it names no customer or has no amount', async () => {
    const { brand, id, metadata, unsold } = await scene();
    await deliver(brand, paid(`${id}n`, { metadata: {} }), paid(`${id}z`, { metadata, amount_total: 0 }));
    expect(await unsold()).toEqual([]);
  });
});

it('a sandbox marks its webhook events as tests, and nothing in a sandbox can be paid out', async () => {
  const pump = await factPump(world);
  const { brand, id, pay, user, url } = await scene({ isSandbox: true, holdPeriodDays: 0 });
  await pay(false);
  await pump.run();
  const facts = await storedFacts(world, brand);
  expect(facts.map(({ type }) => type)).toEqual(expect.arrayContaining(['sale.recorded', 'commission.created']));
  expect(facts.map(({ isTest, data }) => [isTest, data.is_test])).toEqual(facts.map(() => [true, true]));

  const preview = await user.post(`${url}/payouts/preview`, {});
  expect(preview.body.data).toMatchObject({ totals: { USD: 980 } });
  const refused = await user.post(`${url}/payouts`, {});
  expect(refused.status).toBe(409);
  expect(refused.body).toEqual(platformError(409, 'A sandbox program pays nothing out'));
  expect(await commissionOf(world, `cs_${id}`)).not.toHaveProperty('payoutId');
});
