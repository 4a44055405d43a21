import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReferralClient, ValidationError } from '#lib/apps/client/referral-client.ts';
import { openedScriptedServer } from '#test/support/servers/scripted-server.ts';

// For callers without a compiler: a misspelt field is never sent, and never dropped silently.

const server = openedScriptedServer();
let client: ReferralClient;
const warn = vi.spyOn(console, 'warn');

beforeEach(() => {
  warn.mockReset().mockReturnValue();
  client = new ReferralClient({ apiKey: 'aff_1_key', baseUrl: server.url });
});
afterAll(() => warn.mockRestore());

type Method = 'trackLead' | 'trackSale' | 'trackRefund';
const call = (method: Method, given: object): Promise<unknown> => client[method](given as never);

describe('the client refuses a misspelt field name before it sends anything,', () => {
  it.each<readonly [Method, string, string]>([
    ['trackSale', 'curency', 'currency'],
    ['trackSale', 'customer_id', 'customerId'],
    ['trackSale', 'customerKey', 'customerId'],
    ['trackSale', 'amount_cents', 'amount'],
    ['trackSale', 'amountCents', 'amount'],
    ['trackSale', 'transaction_id', 'invoiceId'],
    ['trackSale', 'coupon', 'couponCode'],
    ['trackSale', 'recurring', 'isRecurring'],
    ['trackSale', 'subscription', 'subscriptionId'],
    ['trackSale', 'occuredAt', 'occurredAt'],
    ['trackLead', 'clickid', 'clickId'],
    ['trackLead', 'custmerId', 'customerId'],
    ['trackLead', 'customer_key', 'customerId'],
    ['trackRefund', 'amount', 'refundAmountCents'],
    ['trackRefund', 'amountCents', 'refundAmountCents'],
    ['trackRefund', 'refundAmount', 'refundAmountCents'],
    ['trackRefund', 'amount_refunded', 'refundAmountCents'],
    ['trackRefund', 'refund_reason', 'refundReason'],
  ])('such as, in %s, the field %s', async (method, name, meant) => {
    server.answer();
    const error: unknown = await call(method, { [name]: 1 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      message: `Unknown field ${name}. Did you mean ${meant}?`,
      code: 'invalid_request',
      reason: 'unknown_field',
    });
    expect(server.requests).toEqual([]);
  });

  it('such as a name within additionalData', async () => {
    const given = { customerId: 'u', additionalData: { testMode: true } };
    await expect(call('trackLead', given)).rejects.toMatchObject({
      message: 'Unknown field additionalData.testMode. Did you mean additionalData.test_mode?',
    });
  });
});

describe('a request for a test event, which the client cannot send,', () => {
  const sale = { customerId: 'u', amount: 1, invoiceId: 'i' };

  it.each([{ additionalData: { test_mode: true } }, { testMode: true }, { test_mode: true }])(
    'is refused with a sale, which would be a real one: %j',
    async (more) => {
      server.answer();
      await expect(call('trackSale', { ...sale, ...more })).rejects.toMatchObject({
        name: 'ValidationError',
        message: expect.stringMatching(/^trackSale cannot send test_mode: .*`affitor test sale`/),
        code: 'invalid_request',
        reason: 'unknown_field',
      });
      expect(server.requests).toEqual([]);
    },
  );

  it('is reported on the console with a lead, which is sent without it', async () => {
    server.answer({ body: { success: true } });
    await call('trackLead', { customerId: 'u', additionalData: { test_mode: true, plan: 'pro' } });
    expect(server.requests.map(({ body }) => body)).toEqual([{ customer_key: 'u', additional_data: { plan: 'pro' } }]);
    expect(warn.mock.calls).toEqual([['Referral tracking: trackLead: unknown field additionalData.test_mode']]);
  });

  it('is nothing if it says no', async () => {
    server.answer({ body: { success: true } });
    await call('trackSale', { ...sale, additionalData: { test_mode: false } });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a field name that the client does not know and cannot correct', () => {
  const sale = { customerId: 'u', amount: 1, invoiceId: 'i' };

  it('is not sent, and is reported on the console once', async () => {
    server.answer({ body: { success: true } }, { body: { success: true } });
    await call('trackSale', { ...sale, affiliateNote: 'x' });
    await call('trackSale', { ...sale, affiliateNote: 'y' });
    expect(server.requests.map(({ body }) => body)).toEqual([
      { customer_key: 'u', amount_cents: 1, transaction_id: 'i' },
      { customer_key: 'u', amount_cents: 1, transaction_id: 'i' },
    ]);
    expect(warn.mock.calls).toEqual([['Referral tracking: trackSale: unknown field affiliateNote']]);
  });

  it('is not reported if another method has the field or if the value is empty', async () => {
    server.answer({ body: { success: true } });
    await call('trackSale', { ...sale, email: 'jo@example.com', affiliateUrl: 'x', note: undefined, curency: null });
    expect(warn.mock.calls).toEqual([]);
  });

  it('is not refused as misspelt if the correct name is given as well', async () => {
    server.answer({ body: { success: true } });
    await call('trackSale', { ...sale, customer_id: 'u' });
    expect(warn.mock.calls).toEqual([['Referral tracking: trackSale: unknown field customer_id']]);
  });
});
