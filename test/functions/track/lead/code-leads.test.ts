import { beforeEach, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { discountedBy, codeEvent } from '#test/support/payments/coded-payments.ts';
import { cleoWithCode } from '#test/support/programs/codes.ts';
import { failedSale } from '#test/support/payments/failed-sales.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { browserLead, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { leadOf, saleOf, subscribed } from '#test/support/payments/payers.ts';
import { send } from '#test/support/callers/request.ts';
import { deliver, directBrand, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Tests of customers created by a code, whose key is known before their lead settles.

openProcessor();

const world = openedWorld();
let brand: Brand;
let cleo: Awaited<ReturnType<typeof cleoWithCode>>;
beforeEach(async () => {
  brand = await directBrand(world);
  cleo = await cleoWithCode(world, brand);
});

it('a customer whose free trial used a promotion code becomes a lead once, and a later payment is found by the customer’s key', async () => {
  await deliver(
    brand,
    codeEvent('promo_l1'),
    subscribed('l1', {
      amount_total: 0,
      payment_status: 'no_payment_required',
      invoice: null,
      ...discountedBy('l1'),
      metadata: { service_customer_key: 'user_1' },
    }),
  );
  await settledLead(brand, { customer_key: 'user_1' });
  await expectNothingHalfWritten(world);
  const again = await send(lead, { key: brand.key, body: { customer_key: 'user_1' } });
  expect(again).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('lead') } } });
  await sold(brand, { transaction_id: 'after-lead', customer_key: 'user_1' });
  expect(await saleOf(world, 'after-lead')).toMatchObject({ attribution: { partnerId: cleo.partner.id } });
});

it('a customer from a sale with a coupon code becomes a lead and can pay, even if the first commission could not be computed', async () => {
  await failedSale(brand, { coupon_code: 'SAVE10', customer_key: 'user_1' });
  await settledLead(brand, { customer_key: 'user_1' });
  await expectNothingHalfWritten(world);
  await sold(brand, { transaction_id: 'after-failed', customer_key: 'user_1' });
  expect(await saleOf(world, 'after-failed')).toMatchObject({ attribution: { partnerId: cleo.partner.id } });
});

it('two leads by a browser for a customer whom a coupon code created are one provisional lead', async () => {
  const transactionId = await failedSale(brand, { coupon_code: 'SAVE10', customer_key: 'user_1' });
  const twice = { program_id: brand.program.id, customer_key: 'user_1' };
  await browserLead(twice);
  await browserLead(twice);
  const { attribution } = (await saleOf(world, transactionId)) ?? {};
  const { clickId } = attribution as { clickId: string };
  expect(await leadOf(world, clickId)).toMatchObject({ state: 'provisional', partnerId: cleo.partner.id });
  await expectNothingHalfWritten(world);
});
