import { describe, expect, it } from 'vitest';
import { handler as refundCall } from '#functions/track/refund.ts';
import { leftBehind } from '#test/support/table/invariants.ts';
import { buyer, commissionOf, refundedCentsOf, saleOf } from '#test/support/payments/payers.ts';
import { send } from '#test/support/callers/request.ts';
import { charge, deliver, dispute, openProcessor, type StripeEvent, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of amounts that a dispute deducts and that are restored when it is won.

openProcessor();

const world = openedWorld();

const leftBy = (brand: Parameters<typeof deliver>[0], event: StripeEvent) =>
  leftBehind(world, () => deliver(brand, event));

const told = (id: string, type: string, more: object = {}) =>
  stripeEvent(`charge.dispute.${type}`, dispute(id, { ...more }));

describe('disputes that Stripe reports', () => {
  it('deduct the disputed amount once, although several events report the dispute', async () => {
    const { brand, id } = await buyer(world);
    await deliver(brand, told(id, 'created', { amount: 1000 }), told(id, 'funds_withdrawn', { amount: 1000 }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 1000, refundReason: 'chargeback' });
    expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ status: 'pending', deductedCents: 200 });
  });

  it('deduct in addition to refunds, and give back only their own amount when the brand wins', async () => {
    const { brand, id } = await buyer(world);
    await deliver(brand, stripeEvent('charge.refunded', charge(id, { amount_refunded: 1000 })), told(id, 'created'));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 4900 });
    expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ status: 'reversed', reversalReason: 'chargeback' });
    await deliver(brand, told(id, 'closed', { status: 'won' }), told(id, 'funds_reinstated'));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 1000, refundReason: 'refund' });
    const restored = await commissionOf(world, `cs_${id}`);
    expect(restored).toMatchObject({ status: 'pending', deductedCents: 200, refundState: 'partial' });
    expect(restored).not.toHaveProperty('reversalReason');
    expect(restored).not.toHaveProperty('reversedAt');
  });

  it.each([
    ['as an open inquiry', 'created', { status: 'warning_needs_response' }],
    ['as a closed inquiry', 'closed', { status: 'warning_closed' }],
    ['as lost', 'closed', { status: 'lost' }],
    ['with amount zero', 'created', { amount: 0 }],
    ['without an id', 'created', { id: undefined }],
  ])('%s do not deduct anything', async (_, type, more) => {
    const { brand, id } = await buyer(world);
    expect(await leftBy(brand, told(id, type, more))).toEqual([]);
  });

  it('deduct nothing if the payment was not recorded as a sale', async () => {
    const { brand, id } = await buyer(world);
    expect(await leftBy(brand, told(id, 'created', { charge: null, payment_intent: null }))).toEqual([]);
  });

  it('deduct the amount when an inquiry becomes a dispute', async () => {
    const { brand, id } = await buyer(world);
    await deliver(brand, told(id, 'created', { status: 'warning_needs_response' }), told(id, 'funds_withdrawn'));
    expect(await refundedCentsOf(world, `cs_${id}`)).toBe(4900);
  });

  it('count separately if there are two disputes about one sale', async () => {
    const { brand, id } = await buyer(world);
    const second = { id: `dp_${id}b`, amount: 2000 };
    await deliver(
      brand,
      told(id, 'created', { amount: 1000 }),
      told(id, 'created', second),
      told(id, 'closed', { amount: 1000, status: 'won' }),
    );
    expect(await refundedCentsOf(world, `cs_${id}`)).toBe(2000);
  });

  it('reverse the sale until the brand wins; a refund that the API reports before the win is deducted after it', async () => {
    const { brand, id } = await buyer(world);
    await deliver(brand, told(id, 'created'));
    const body = { transaction_id: `cs_${id}`, refund_amount_cents: 2450 };
    const reply = await send(refundCall, { key: brand.key, body });
    expect(reply.body).toMatchObject({ status: 'skipped', reason: 'already reversed' });
    await deliver(brand, told(id, 'closed', { status: 'won' }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 2450, refundReason: 'refund' });
    expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ status: 'pending', deductedCents: 490 });
  });
});
