import { beforeAll, describe, expect, it } from 'vitest';
import { handler as explain } from '#functions/dashboard/sale/get.ts';
import { browserLead, clicked } from '#test/support/journeys.ts';
import { ownerOfBrand } from '#test/support/people.ts';
import { NOW, send } from '#test/support/request.ts';
import { counted } from '#test/support/stream.ts';
import {
  charge,
  checkoutSession,
  directEndpoint,
  dispute,
  openProcessor,
  sendDirect,
  type StripeEvent,
  stripeEvent,
  subscriptionInvoice,
} from '#test/support/stripe.ts';
import { type Brand, openWorld, type World } from '#test/support/world.ts';

// Contract 14.5 to 14.10: whatever the order in which the events of one subscription's life arrive, and however often.

let world: World;
beforeAll(async () => {
  openProcessor();
  world = await openWorld();
});

const daysLater = (days: number): Date => new Date(NOW.getTime() + days * 86_400_000);

let lives = 0;

/** A customer who signed up in a browser, and the events of the subscription that the customer then pays. */
async function startLife() {
  lives += 1;
  const n = String(lives);
  const brand = await world.brand({ commissionType: 'recurring_percent' });
  await directEndpoint(world, brand);
  const clickId = await clicked(brand);
  await browserLead({ click_id: clickId, customer_key: `user_${n}`, email: `jo${n}@customers.test` });
  const metadata = {
    service_click_id: clickId,
    service_customer_key: `user_${n}`,
    program_id: String(brand.program.id),
  };
  const renewalAt = daysLater(30);
  const first = { metadata, billing_reason: 'subscription_create' };
  const events = {
    checkout: stripeEvent(
      'checkout.session.completed',
      checkoutSession(n, {
        mode: 'subscription',
        payment_intent: null,
        invoice: `in_${n}`,
        subscription: `sub_${n}`,
        customer: `cus_${n}`,
        metadata,
      }),
    ),
    invoice: stripeEvent('invoice.paid', subscriptionInvoice(n, n, first)),
    renewal: stripeEvent('invoice.paid', subscriptionInvoice(`${n}r`, n, { metadata, paidAt: renewalAt }), {
      at: renewalAt,
    }),
    refund: stripeEvent('charge.refunded', charge(`${n}r`, { amount_refunded: 2450 }), { at: renewalAt }),
    disputed: stripeEvent('charge.dispute.created', dispute(n), { at: renewalAt }),
    won: stripeEvent('charge.dispute.closed', dispute(n, { status: 'won' }), { at: renewalAt }),
  };
  return { n, brand, clickId, events };
}

type Life = Awaited<ReturnType<typeof startLife>>;
type Step = keyof Life['events'];

const RECEIVED = { status: 200, body: { received: true } };

const deliver = async ({ brand }: Life, event: StripeEvent): Promise<void> => {
  expect(await sendDirect(brand.program.id, event, { at: daysLater(31) })).toMatchObject(RECEIVED);
};

const without = ['id', 'at', 'created_at', 'commission_id', 'sale_id', 'partner_id', 'program_id'];

/** What is left of a life in the end, without the names and times that differ from life to life. */
async function endOf({ n, brand, clickId }: Life) {
  const { token: key } = await ownerOfBrand(world, brand);
  const explained = async (transactionId: string) => {
    const pathParameters = { id: String(brand.program.id), transaction_id: transactionId };
    const { status, body } = await send(explain, { method: 'GET', key, pathParameters, at: daysLater(31) });
    expect(status).toBe(200);
    const { sale, attribution, customer, lead, window, commission, refunds } = body.data;
    return { sale, attribution, customer, lead, window, commission, refunds: refunds.map((row: object) => row) };
  };
  const text = JSON.stringify({
    first: await explained(`in_${n}`),
    renewal: await explained(`in_${n}r`),
    ...(await counted(world)),
  });
  void clickId;
  void without;
  return text;
}

describe('smoke', () => {
  it('goes through', async () => {
    const life = await startLife();
    const order: Step[] = ['won', 'disputed', 'refund', 'invoice', 'renewal', 'checkout'];
    for (const step of [...order, ...order]) await deliver(life, life.events[step]);
    console.log(JSON.stringify(JSON.parse(await endOf(life)), null, 1));
  });
});
