import { beforeAll, describe, expect, it } from 'vitest';
import { ReferralClient } from '#lib/apps/client/referral-client.ts';
import {
  attributedElsewhere,
  eventIncomplete,
  leadCustomerNotFound,
  leadCustomerOfOtherProgram,
  leadIdentifierMissing,
  leadStatusRefused,
  noPartnerRelation,
  partnerMissing,
  saleCustomerNotFound,
  saleIdentifierMissing,
} from '#lib/service/ground/values/refusals.ts';
import { openedScriptedServer, refusal } from '#test/support/servers/scripted-server.ts';

const apiKey = 'aff_1_secret';
const server = openedScriptedServer();
let client: ReferralClient;

beforeAll(() => {
  client = new ReferralClient({ apiKey, baseUrl: `${server.url}/` });
});

/** Calls the client once and answers with `body`. @returns the request and the call's result */
async function sent(call: () => Promise<unknown>, body: object = { success: true }) {
  server.answer({ body });
  const resolved = await call();
  expect(server.requests).toHaveLength(1);
  const { method, path, headers, body: sentBody } = server.requests[0]!;
  return { request: `${method} ${path}`, credential: headers.authorization, body: sentBody, resolved };
}

describe('trackClick of the client', () => {
  it('sends the visit without a program key', async () => {
    const reply = { success: true, click_id: 'clk_1', partner_code: 'ana', cookie_window_days: 60 };
    expect(
      await sent(
        () =>
          client.trackClick({
            affiliateUrl: 'https://acme.test/?aff=ana',
            existingClickId: 'clk_0',
            pageUrl: 'https://acme.test/pricing',
            referrerUrl: 'https://blog.test/',
          }),
        reply,
      ),
    ).toEqual({
      request: 'POST /api/v1/track/click',
      credential: undefined,
      body: {
        affiliate_url: 'https://acme.test/?aff=ana',
        existing_click_id: 'clk_0',
        page_url: 'https://acme.test/pricing',
        referrer_url: 'https://blog.test/',
      },
      resolved: reply,
    });
  });
});

describe('trackLead of the client', () => {
  it('sends the sign-up with the program key', async () => {
    const reply = { success: true, message: 'Lead tracked successfully' };
    expect(
      await sent(
        () =>
          client.trackLead({
            customerId: 'user_1',
            clickId: 'clk_1',
            email: 'jo@example.com',
            emailVerified: false,
            eventName: 'signup',
            additionalData: { plan: 'pro' },
          }),
        reply,
      ),
    ).toEqual({
      request: 'POST /api/v1/track/lead',
      credential: `Bearer ${apiKey}`,
      body: {
        customer_key: 'user_1',
        click_id: 'clk_1',
        email: 'jo@example.com',
        email_verified: false,
        additional_data: { plan: 'pro', event_name: 'signup' },
      },
      resolved: { ...reply, duplicate: false },
    });
  });

  it('never sends test_mode, because a lead in test mode would count for no partner', async () => {
    const { body } = await sent(() =>
      client.trackLead({ customerId: 7, additionalData: { test_mode: true, plan: 'pro' } }),
    );
    expect(body).toEqual({ customer_key: 7, additional_data: { plan: 'pro' } });
    const alone = await sent(() => client.trackLead({ customerId: 7, additionalData: { test_mode: true } }));
    expect(alone.body).toEqual({ customer_key: 7 });
  });
});

describe('trackSale of the client', () => {
  const reply = {
    success: true,
    sale_id: 42,
    commission_id: 17,
    attributed: true,
    message: 'Sale tracked successfully',
  };

  it('sends the payment without a currency if none is given', async () => {
    expect(
      await sent(() => client.trackSale({ customerId: 'user_1', amount: 4900, invoiceId: 'in_1' }), reply),
    ).toEqual({
      request: 'POST /api/v1/track/sale',
      credential: `Bearer ${apiKey}`,
      body: { customer_key: 'user_1', amount_cents: 4900, transaction_id: 'in_1' },
      resolved: { ...reply, duplicate: false },
    });
  });

  it('sends all data of a subscription', async () => {
    const { body } = await sent(() =>
      client.trackSale({
        clickId: 'clk_1',
        couponCode: 'SAVE10',
        amount: 100,
        tax: 16,
        invoiceId: 'in_2',
        currency: 'eur',
        saleType: 'subscription',
        isRecurring: true,
        subscriptionId: 'sub_1',
        subscriptionInterval: 'annual',
      }),
    );
    expect(body).toEqual({
      click_id: 'clk_1',
      coupon_code: 'SAVE10',
      amount_cents: 100,
      tax_cents: 16,
      transaction_id: 'in_2',
      currency: 'eur',
      sale_type: 'subscription',
      is_recurring: true,
      subscription_id: 'sub_1',
      subscription_interval: 'annual',
    });
  });

  it('sends all data of a payment through another processor than Stripe', async () => {
    const { body } = await sent(() =>
      client.trackSale({
        customerId: 'user_1',
        amount: 100,
        invoiceId: 'in_3',
        occurredAt: new Date('2026-11-20T15:00:00.000Z'),
        provider: 'paypal',
        providerPaymentId: 'PAY-1',
        productId: 'pro',
        eventName: 'upgrade',
        lineItems: [{ id: 'seat', quantity: 3 }],
      }),
    );
    expect(body).toEqual({
      customer_key: 'user_1',
      amount_cents: 100,
      transaction_id: 'in_3',
      occurred_at: '2026-11-20T15:00:00.000Z',
      provider: 'paypal',
      provider_payment_id: 'PAY-1',
      product_id: 'pro',
      event_name: 'upgrade',
      line_items: [{ id: 'seat', quantity: 3 }],
    });
  });

  it('resolves with duplicate: true if the program has already recorded the sale', async () => {
    server.answer(refusal(409, 'Duplicate', { code: 'duplicate_transaction', details: { sale_id: 42, own: true } }));
    const sale = await client.trackSale({ customerId: 'user_1', amount: 4900, invoiceId: 'in_1' });
    expect(sale).toEqual({ success: true, duplicate: true, sale_id: 42 });
  });

  it.each([{ own: false }, {}])('rejects if another program has recorded the transaction id: %j', async (own) => {
    const error = { code: 'duplicate_transaction', details: { sale_id: 42, ...own } };
    server.answer(refusal(409, 'Duplicate', error));
    await expect(client.trackSale({ customerId: 'user_1', amount: 4900, invoiceId: 'in_1' })).rejects.toMatchObject({
      name: 'ReferralError',
      message: expect.stringMatching(/^This payment was not recorded: .* Put a prefix of your own/),
      status: 409,
      ...error,
      reason: 'duplicate_transaction',
    });
    expect(server.requests).toHaveLength(1);
  });
});

const lead = () => client.trackLead({ customerId: 'user_1' });
const sale = () => client.trackSale({ customerId: 'user_1', amount: 4900, invoiceId: 'in_1' });

describe('if the service finds no customer or partner, the client', () => {
  const unattributed = { success: true, duplicate: false, attributed: false, reason: 'no_attribution' };
  const saleCode = { code: 'no_attribution' };

  it.each([
    ['lead', lead, leadCustomerNotFound(), {}],
    ['lead', lead, leadCustomerOfOtherProgram(), {}],
    ['sale', sale, saleCustomerNotFound(), saleCode],
    ['sale', sale, attributedElsewhere(), saleCode],
    ['sale', sale, noPartnerRelation(), saleCode],
    ['sale', sale, partnerMissing(), saleCode],
  ])('resolves with attributed: false for a %s', async (_, call, { message }, more) => {
    server.answer(refusal(400, message, more));
    expect(await call()).toEqual(unattributed);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['lead without identifiers', lead, leadIdentifierMissing(), {}],
    ['second lead', lead, leadStatusRefused('lead'), {}],
    ['sale without identifiers', sale, saleIdentifierMissing(), { code: 'invalid_request' }],
    ['sale with an invalid field', sale, { message: 'amount_cents is required and must be a positive integer' }, {}],
  ])('still rejects a %s', async (_, call, { message }, more) => {
    server.answer(refusal(400, message, more));
    await expect(call()).rejects.toMatchObject({ name: 'ValidationError', status: 400 });
  });
});

describe('trackStripeEvent of the client', () => {
  it('sends the event unchanged', async () => {
    const event = {
      id: 'evt_1',
      object: 'event',
      type: 'invoice.paid',
      created: 1_795_186_800,
      livemode: true,
      api_version: null,
      data: { object: { id: 'in_1', metadata: {} } },
    };
    const reply = { success: true, event_id: 'evt_1', outcome: 'processed', message: 'Stripe event received' };
    expect(await sent(() => client.trackStripeEvent(event), reply)).toEqual({
      request: 'POST /api/v1/track/stripe',
      credential: `Bearer ${apiKey}`,
      body: event,
      resolved: reply,
    });
  });

  it('rejects with the service’s message and a reason that programs can compare', async () => {
    const { message } = eventIncomplete();
    server.answer(refusal(400, message, { code: 'invalid_request' }));
    const thin = { id: 'evt_1', type: 'v1.billing.meter.error_report_triggered', created: 1 };
    await expect(client.trackStripeEvent(thin as never)).rejects.toMatchObject({
      name: 'ValidationError',
      message,
      status: 400,
      reason: 'event_incomplete',
    });
  });
});

describe('trackRefund of the client', () => {
  it('sends the total refunded so far', async () => {
    const reply = { success: true, status: 'refunded', sale_id: 42, commission_id: 17, message: 'Commission reduced' };
    expect(
      await sent(
        () =>
          client.trackRefund({
            invoiceId: 'in_1',
            refundAmountCents: 2450,
            reason: 'chargeback',
            refundReason: 'not as described',
          }),
        reply,
      ),
    ).toEqual({
      request: 'POST /api/v1/track/refund',
      credential: `Bearer ${apiKey}`,
      body: {
        transaction_id: 'in_1',
        refund_amount_cents: 2450,
        reason: 'chargeback',
        refund_reason: 'not as described',
      },
      resolved: reply,
    });
  });
});

it('trackRefund of the client sends the id of a refund, and whether it is a correction', async () => {
  const reply = {
    success: true,
    status: 'corrected',
    sale_id: 42,
    commission_id: 17,
    refunded_amount_cents: 0,
    deduction_cents: -980,
    message: 'Refund corrected',
  };
  const refund = { invoiceId: 'in_1', refundId: 'dp_1', refundAmountCents: 0, correction: true } as const;
  expect(await sent(() => client.trackRefund(refund), reply)).toEqual({
    request: 'POST /api/v1/track/refund',
    credential: `Bearer ${apiKey}`,
    body: { transaction_id: 'in_1', refund_id: 'dp_1', refund_amount_cents: 0, correction: true },
    resolved: reply,
  });
});

describe('readiness of the client', () => {
  it.each([
    [undefined, ''],
    [{ forceRecheck: false }, ''],
    [{ forceRecheck: true }, '?force_recheck=true'],
  ])('sends the right query for the options %j', async (options, query) => {
    expect(await sent(() => client.readiness(options), { state: 'ready' })).toEqual({
      request: `GET /api/v1/programs/me/readiness${query}`,
      credential: `Bearer ${apiKey}`,
      body: undefined,
      resolved: { state: 'ready' },
    });
  });
});

describe('the option baseUrl of the client', () => {
  it('may have a path', async () => {
    const below = new ReferralClient({ apiKey, baseUrl: `${server.url}/referrals/` });
    expect(await sent(() => below.readiness())).toMatchObject({
      request: 'GET /referrals/api/v1/programs/me/readiness',
    });
  });
});
