import { beforeEach, describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { everyNth } from '#test/support/cases/cases.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { ordersOf } from '#test/support/cases/orders.ts';
import { commissionOf, invoiced, paid, saleOf, type Visitor, visitorOf } from '#test/support/payments/payers.ts';
import { send } from '#test/support/callers/request.ts';
import { intentPaid, singleInvoicePaid } from '#test/support/payments/single-payments.ts';
import { refund } from '#test/support/payments/single-payment-scenes.ts';
import {
  deliver,
  directBrand,
  dispute,
  openProcessor,
  type StripeEvent,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// The brand's server reports a payment by one of Stripe's ids. Stripe's events have no identifiers or another id, and a
// refund or dispute has a third. In any order, one sale must count, less the reversed amount.

openProcessor();

const world = openedWorld();
let brand: Brand;
beforeEach(async () => {
  brand = await directBrand(world);
});

type Step = () => Promise<unknown>;
type Told = (person: Visitor) => Readonly<Record<string, StripeEvent>>;

const opened = (person: Visitor): StripeEvent =>
  stripeEvent('charge.dispute.created', dispute(person.id, { amount: 2450 }));

interface Case {
  /** The ids that the brand's server sends. */
  readonly named: (id: string) => object;
  readonly told: Told;
  /** What is left of the payment. If absent, half of the amount is reversed. */
  readonly left?: typeof once;
}
const once = { counting: 1, refundedCents: 2450, dueCents: 490 };

const cases: Readonly<Record<string, Case>> = {
  'the session, without identifiers': {
    named: (id) => ({ transaction_id: `cs_${id}` }),
    told: (person) => ({ session: paid(person.id), refund: refund(person) }),
  },
  'the session, part of which Stripe reclaims': {
    named: (id) => ({ transaction_id: `cs_${id}` }),
    told: (person) => ({ session: paid(person.id), dispute: opened(person) }),
  },
  'an order of the session, without identifiers': {
    named: (id) => ({ transaction_id: `order_${id}`, provider_payment_id: `cs_${id}` }),
    told: (person) => ({ session: paid(person.id), refund: refund(person) }),
  },
  'the session, identified only by its intent': {
    named: (id) => ({ transaction_id: `cs_${id}` }),
    told: (person) => ({
      session: paid(person.id),
      intent: intentPaid(person.id, person.metadata),
      refund: refund(person),
    }),
  },
  'an invoice, without identifiers': {
    named: (id) => ({ transaction_id: `in_${id}` }),
    told: (person) => ({ invoice: invoiced(person.id), refund: refund(person) }),
  },
  'a single invoice of earlier API versions, without identifiers': {
    named: (id) => ({ transaction_id: `in_${id}` }),
    told: (person) => ({
      invoice: singleInvoicePaid(person.id, {}, { generation: 'before 2025-03-31' }),
      dispute: opened(person),
    }),
  },
  'the session, with a pending payment': {
    named: (id) => ({ transaction_id: `cs_${id}` }),
    told: (person) => ({
      session: paid(person.id, { metadata: person.metadata, payment_status: 'unpaid' }),
      refund: refund(person),
    }),
  },
  'the session, with metadata for another program': {
    named: (id) => ({ transaction_id: `cs_${id}` }),
    told: (person) => ({
      session: paid(person.id, { metadata: { ...person.metadata, program_id: '999999' } }),
      refund: refund(person),
    }),
  },
  'the session, with misspelt metadata': {
    named: (id) => ({ transaction_id: `cs_${id}` }),
    told: (person) => ({
      session: paid(person.id, { metadata: { click_id: person.clickId } }),
      refund: refund(person),
    }),
  },
  'the charge, identified only by its intent': {
    named: (id) => ({ transaction_id: `ch_${id}` }),
    told: (person) => ({
      session: paid(person.id, { metadata: person.metadata }),
      intent: intentPaid(person.id, {}),
    }),
    left: { counting: 1, refundedCents: 0, dueCents: 980 },
  },
};

/** The number of a payment's counted sales, with the reversed amount and the amount due. */
async function outcome({ id }: Visitor) {
  const names = [`cs_${id}`, `pi_${id}`, `in_${id}`, `ch_${id}`, `order_${id}`];
  const sales = (await Promise.all(names.map((name) => saleOf(world, name)))).filter((one) => one !== undefined);
  const counting = sales.filter(({ duplicateOf }) => duplicateOf === undefined);
  const commissions = await Promise.all(sales.map(({ transactionId }) => commissionOf(world, String(transactionId))));
  const dueCents = commissions
    .map((one) => Number(one?.amountCents) - Number(one?.deductedCents))
    .reduce((sum, one) => sum + one, 0);
  return { counting: counting.length, refundedCents: counting[0]?.refundedCents, dueCents };
}

for (const [at, [name, { named, told, left = once }]] of Object.entries(cases).entries()) {
  describe(`a sale that the API reports, and Stripe reports by ${name},`, everyNth(3, at), () => {
    it('is one sale in every order of the reports', async () => {
      const names = ['sale', ...Object.keys(told({ brand, id: '', clickId: '', metadata: { service_click_id: '' } }))];
      for (const order of ordersOf(names)) {
        const person = await visitorOf(brand);
        const sell = () => sold(person, named(person.id));
        const steps: Readonly<Record<string, Step>> = {
          sale: sell,
          ...Object.fromEntries(
            Object.entries(told(person)).map(([step, event]) => [step, () => deliver(brand, event)] as const),
          ),
        };
        for (const step of order) await steps[step]!();
        expect({ order, ...(await outcome(person)) }).toEqual({ order, ...left });
      }
      await expectNothingHalfWritten(world);
    });

    it('is one sale if all events arrive in parallel', async () => {
      const people = await Promise.all(Array.from({ length: 6 }, () => visitorOf(brand)));
      for (const person of people) {
        await Promise.all([
          sold(person, named(person.id)),
          ...Object.values(told(person)).map((event) => deliver(brand, event)),
        ]);
        expect(await outcome(person)).toEqual(left);
      }
      await expectNothingHalfWritten(world);
    });
  });
}

it('a checkout session whose customer key a later lead makes known, and the API’s sale with that key, are one sale', async () => {
  const person = await visitorOf(brand);
  const { id, clickId } = person;
  await deliver(brand, paid(id, { metadata: { service_customer_key: `key_${id}` } }));
  await send(lead, { key: brand.key, body: { click_id: clickId, customer_key: `key_${id}` } });
  await sold(person, { transaction_id: `cs_${id}`, customer_key: `key_${id}` });
  await deliver(brand, refund(person));
  expect(await outcome(person)).toEqual(once);
});

/** Sends a sale, which is recorded, or refused because an event has recorded it. */
async function sold({ clickId }: Visitor, body: object): Promise<void> {
  const { status } = await send(sale, { key: brand.key, body: { amount_cents: 4900, click_id: clickId, ...body } });
  expect([200, 409]).toContain(status);
}
